CREATE TABLE "configurations" (
	"id" text PRIMARY KEY NOT NULL,
	"key" text NOT NULL,
	"label" text NOT NULL,
	"conditions" jsonb NOT NULL,
	"gpu_id" text,
	"model_id" text,
	"origin" text DEFAULT 'own' NOT NULL,
	"attribution" text,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL,
	"revision" integer DEFAULT 0 NOT NULL
);
--> statement-breakpoint
CREATE TABLE "fits" (
	"configuration_id" text NOT NULL,
	"id" uuid DEFAULT gen_random_uuid() NOT NULL,
	"revision" integer NOT NULL,
	"phase" text NOT NULL,
	"fit" jsonb NOT NULL,
	"run_ids" uuid[] DEFAULT '{}' NOT NULL,
	"current" boolean DEFAULT true NOT NULL,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "fits_configuration_id_id_pk" PRIMARY KEY("configuration_id","id")
);
--> statement-breakpoint
CREATE TABLE "forecasts" (
	"configuration_id" text NOT NULL,
	"id" uuid DEFAULT gen_random_uuid() NOT NULL,
	"run_id" uuid NOT NULL,
	"point" text NOT NULL,
	"phase" text NOT NULL,
	"predicted_seconds" double precision NOT NULL,
	"low_seconds" double precision NOT NULL,
	"high_seconds" double precision NOT NULL,
	"measured_seconds" double precision NOT NULL,
	"evidence" text NOT NULL,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "forecasts_configuration_id_id_pk" PRIMARY KEY("configuration_id","id")
);
--> statement-breakpoint
CREATE TABLE "gpus" (
	"id" text PRIMARY KEY NOT NULL,
	"name" text NOT NULL,
	"aliases" text[] DEFAULT '{}' NOT NULL,
	"facts" jsonb NOT NULL,
	"origin" text DEFAULT 'seed' NOT NULL,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL
);
--> statement-breakpoint
CREATE TABLE "keys" (
	"id" uuid PRIMARY KEY DEFAULT gen_random_uuid() NOT NULL,
	"name" text NOT NULL,
	"sha256" text NOT NULL,
	"scopes" text[] NOT NULL,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL,
	"last_used_at" timestamp with time zone,
	"revoked_at" timestamp with time zone,
	CONSTRAINT "keys_sha256_unique" UNIQUE("sha256")
);
--> statement-breakpoint
CREATE TABLE "measurements" (
	"configuration_id" text NOT NULL,
	"id" bigserial NOT NULL,
	"run_id" uuid NOT NULL,
	"at" text NOT NULL,
	"phase" text NOT NULL,
	"status" text NOT NULL,
	"point" text,
	"tokens" double precision,
	"depth" double precision,
	"generated" double precision,
	"batch" double precision,
	"rate" double precision,
	"seconds" double precision[],
	"seconds_mean" double precision,
	"seconds_std" double precision,
	"repetitions" integer,
	"reason" text,
	"details" jsonb,
	"suspicions" text[],
	"included" boolean DEFAULT true NOT NULL,
	"started_at" text,
	CONSTRAINT "measurements_configuration_id_id_pk" PRIMARY KEY("configuration_id","id")
);
--> statement-breakpoint
CREATE TABLE "memory_facts" (
	"configuration_id" text NOT NULL,
	"id" uuid DEFAULT gen_random_uuid() NOT NULL,
	"run_id" uuid NOT NULL,
	"at" text NOT NULL,
	"memory" jsonb NOT NULL,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "memory_facts_configuration_id_id_pk" PRIMARY KEY("configuration_id","id")
);
--> statement-breakpoint
CREATE TABLE "models" (
	"id" text PRIMARY KEY NOT NULL,
	"name" text NOT NULL,
	"aliases" text[] DEFAULT '{}' NOT NULL,
	"facts" jsonb NOT NULL,
	"origin" text DEFAULT 'seed' NOT NULL,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL
);
--> statement-breakpoint
CREATE TABLE "points" (
	"configuration_id" text NOT NULL,
	"point" text NOT NULL,
	"phase" text NOT NULL,
	"tokens" double precision,
	"depth" double precision,
	"generated" double precision,
	"batch" double precision,
	"rate" double precision,
	"n" bigint NOT NULL,
	"sum_log" double precision NOT NULL,
	"sum_log2" double precision NOT NULL,
	"within_sum_squares" double precision DEFAULT 0 NOT NULL,
	"within_freedom" double precision DEFAULT 0 NOT NULL,
	"statistics" jsonb,
	CONSTRAINT "points_configuration_id_point_pk" PRIMARY KEY("configuration_id","point")
);
--> statement-breakpoint
CREATE TABLE "prices" (
	"id" uuid PRIMARY KEY DEFAULT gen_random_uuid() NOT NULL,
	"gpu_id" text NOT NULL,
	"kind" text DEFAULT 'rental' NOT NULL,
	"usd_per_gpu_hour_low" double precision NOT NULL,
	"usd_per_gpu_hour_high" double precision NOT NULL,
	"source" text NOT NULL,
	"read_on" text NOT NULL,
	"origin" text DEFAULT 'seed' NOT NULL,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL
);
--> statement-breakpoint
CREATE TABLE "run_bytes" (
	"run_id" uuid NOT NULL,
	"piece" integer NOT NULL,
	"gzip" "bytea" NOT NULL,
	CONSTRAINT "run_bytes_run_id_piece_pk" PRIMARY KEY("run_id","piece")
);
--> statement-breakpoint
CREATE TABLE "run_issues" (
	"run_id" uuid NOT NULL,
	"position" integer NOT NULL,
	"kind" text NOT NULL,
	"at" text NOT NULL,
	"reason" text NOT NULL,
	CONSTRAINT "run_issues_run_id_position_pk" PRIMARY KEY("run_id","position")
);
--> statement-breakpoint
CREATE TABLE "runs" (
	"id" uuid PRIMARY KEY NOT NULL,
	"sha256" text NOT NULL,
	"parameters" text NOT NULL,
	"format" text NOT NULL,
	"label" text,
	"file_name" text,
	"bytes" bigint NOT NULL,
	"accepted" integer NOT NULL,
	"rejected" integer NOT NULL,
	"failed" integer NOT NULL,
	"aside" integer NOT NULL,
	"notes" jsonb DEFAULT '[]'::jsonb NOT NULL,
	"origin" text DEFAULT 'own' NOT NULL,
	"attribution" text,
	"sent_by" text,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL,
	"deleted_at" timestamp with time zone
);
--> statement-breakpoint
CREATE TABLE "settings" (
	"key" text PRIMARY KEY NOT NULL,
	"value" jsonb NOT NULL
);
--> statement-breakpoint
CREATE INDEX "configurations_created" ON "configurations" USING btree ("created_at","id");--> statement-breakpoint
CREATE UNIQUE INDEX "fits_current" ON "fits" USING btree ("configuration_id","phase") WHERE "fits"."current";--> statement-breakpoint
CREATE INDEX "forecasts_run" ON "forecasts" USING btree ("run_id");--> statement-breakpoint
CREATE INDEX "measurements_run" ON "measurements" USING btree ("run_id","id");--> statement-breakpoint
CREATE INDEX "measurements_point" ON "measurements" USING btree ("configuration_id","point");--> statement-breakpoint
CREATE INDEX "prices_gpu" ON "prices" USING btree ("gpu_id","read_on");--> statement-breakpoint
CREATE UNIQUE INDEX "prices_entry" ON "prices" USING btree ("gpu_id","kind","source","read_on","usd_per_gpu_hour_low","usd_per_gpu_hour_high");--> statement-breakpoint
CREATE UNIQUE INDEX "runs_identity" ON "runs" USING btree ("sha256",hashtextextended("parameters", 0));--> statement-breakpoint
CREATE INDEX "runs_created" ON "runs" USING btree ("created_at","id");