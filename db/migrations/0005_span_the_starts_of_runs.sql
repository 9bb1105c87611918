ALTER TABLE "run_configurations" ADD COLUMN "started_from" text;--> statement-breakpoint
ALTER TABLE "run_configurations" ADD COLUMN "started_to" text;--> statement-breakpoint
UPDATE "run_configurations" l SET "started_from" = m.first, "started_to" = m.last
FROM (
	SELECT "configuration_id", "run_id", min("started_at" COLLATE "C") AS first, max("started_at" COLLATE "C") AS last
	FROM "measurements" GROUP BY "configuration_id", "run_id"
) m
WHERE m."configuration_id" = l."configuration_id" AND m."run_id" = l."run_id";
