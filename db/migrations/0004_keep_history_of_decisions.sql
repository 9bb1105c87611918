CREATE TABLE "decisions" (
	"configuration_id" text NOT NULL,
	"id" bigserial NOT NULL,
	"measurement_id" bigint NOT NULL,
	"run_id" uuid NOT NULL,
	"included" boolean NOT NULL,
	"decided_by" text NOT NULL,
	"reason" text,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "decisions_configuration_id_id_pk" PRIMARY KEY("configuration_id","id")
);
--> statement-breakpoint
ALTER TABLE "run_configurations" ADD COLUMN "phases" text[] DEFAULT '{}' NOT NULL;--> statement-breakpoint
CREATE INDEX "decisions_measurement" ON "decisions" USING btree ("configuration_id","measurement_id");--> statement-breakpoint
-- What runs brought before this was written down.
UPDATE "run_configurations" l SET "phases" = array(
	SELECT DISTINCT m."phase" FROM "measurements" m
	WHERE m."run_id" = l."run_id" AND m."configuration_id" = l."configuration_id" AND m."point" IS NOT NULL
);
--> statement-breakpoint
-- Decisions stood among the details of their measurement.
INSERT INTO "decisions" ("configuration_id", "measurement_id", "run_id", "included", "decided_by", "reason", "created_at")
SELECT m."configuration_id", m."id", m."run_id", (d.entry ->> 'included')::boolean,
	coalesce(d.entry ->> 'by', 'this machine'), d.entry ->> 'reason', (d.entry ->> 'at')::timestamptz
FROM "measurements" m CROSS JOIN LATERAL jsonb_array_elements(m."details" -> 'decisions') WITH ORDINALITY d (entry, place)
WHERE m."details" ? 'decisions'
ORDER BY m."configuration_id", m."id", d.place;
--> statement-breakpoint
UPDATE "measurements" SET "details" = "details" - 'decisions' WHERE "details" ? 'decisions';
