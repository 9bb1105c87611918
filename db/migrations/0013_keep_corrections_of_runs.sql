CREATE TABLE "run_corrections" (
	"run_id" uuid NOT NULL,
	"id" bigserial NOT NULL,
	"field" text NOT NULL,
	"before" jsonb,
	"after" jsonb,
	"corrected_by" text NOT NULL,
	"reason" text,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "run_corrections_run_id_id_pk" PRIMARY KEY("run_id","id")
);
