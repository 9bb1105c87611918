DROP INDEX "prices_gpu";--> statement-breakpoint
DROP INDEX "prices_entry";--> statement-breakpoint
ALTER TABLE "prices" ALTER COLUMN "kind" DROP DEFAULT;--> statement-breakpoint
ALTER TABLE "prices" ADD COLUMN "series" text;--> statement-breakpoint
ALTER TABLE "prices" ADD COLUMN "version" integer;--> statement-breakpoint
ALTER TABLE "prices" ADD COLUMN "subject" text;--> statement-breakpoint
ALTER TABLE "prices" ADD COLUMN "seller" text;--> statement-breakpoint
ALTER TABLE "prices" ADD COLUMN "terms" jsonb;--> statement-breakpoint
ALTER TABLE "prices" ADD COLUMN "currency" text DEFAULT 'USD' NOT NULL;--> statement-breakpoint
ALTER TABLE "prices" ADD COLUMN "usd_per_unit" double precision DEFAULT 1 NOT NULL;--> statement-breakpoint
ALTER TABLE "prices" ADD COLUMN "rate_source" text;--> statement-breakpoint
ALTER TABLE "prices" ADD COLUMN "rate_read_on" text;--> statement-breakpoint
ALTER TABLE "prices" ADD COLUMN "entered_by" text;--> statement-breakpoint
-- A list's price is paid on demand, or for three years where it says so; what somebody entered, for rented or for owned
-- GPUs, is a rate as agreed.
UPDATE "prices" SET
	"subject" = "gpu_id",
	"kind" = CASE
		WHEN "origin" = 'seed' AND "source" LIKE '%3-year estimates, not on-demand%' THEN 'reserved'
		WHEN "kind" = 'rental' THEN 'on-demand' ELSE 'agreed' END;
--> statement-breakpoint
UPDATE "prices" SET
	"terms" = jsonb_build_object('kind', "kind", 'perGpuHour',
		jsonb_build_object('low', "usd_per_gpu_hour_low", 'high', "usd_per_gpu_hour_high"))
		|| CASE "kind" WHEN 'reserved'
			THEN '{"upfrontPerGpu": {"low": 0, "high": 0}, "termMonths": 36}'::jsonb ELSE '{}'::jsonb END,
	"series" = concat_ws(' | ', "origin", "kind", "subject", CASE "origin" WHEN 'seed' THEN NULL ELSE "source" END);
--> statement-breakpoint
-- Prices of one source become versions of one entry, the oldest reading first.
UPDATE "prices" p SET "version" = v.place FROM (
	SELECT "id", row_number() OVER (PARTITION BY "series" ORDER BY "read_on", "created_at", "id") AS place FROM "prices"
) v WHERE v."id" = p."id";
--> statement-breakpoint
ALTER TABLE "prices" ALTER COLUMN "series" SET NOT NULL;--> statement-breakpoint
ALTER TABLE "prices" ALTER COLUMN "version" SET NOT NULL;--> statement-breakpoint
ALTER TABLE "prices" ALTER COLUMN "subject" SET NOT NULL;--> statement-breakpoint
ALTER TABLE "prices" ALTER COLUMN "terms" SET NOT NULL;--> statement-breakpoint
ALTER TABLE "prices" DROP COLUMN "gpu_id";--> statement-breakpoint
ALTER TABLE "prices" DROP COLUMN "usd_per_gpu_hour_low";--> statement-breakpoint
ALTER TABLE "prices" DROP COLUMN "usd_per_gpu_hour_high";--> statement-breakpoint
CREATE UNIQUE INDEX "prices_version" ON "prices" USING btree ("series","version");--> statement-breakpoint
CREATE INDEX "prices_subject" ON "prices" USING btree ("subject","read_on");--> statement-breakpoint
CREATE INDEX "prices_read" ON "prices" USING btree ("read_on","id");--> statement-breakpoint
-- What an old answer was made with stays as it was.
CREATE FUNCTION "keep_prices"() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
	RAISE EXCEPTION 'prices are added, never changed: add a version';
END $$;
--> statement-breakpoint
CREATE TRIGGER "prices_are_kept" BEFORE UPDATE OR DELETE ON "prices" FOR EACH ROW EXECUTE FUNCTION "keep_prices"();
