CREATE TABLE "operations" (
	"id" uuid PRIMARY KEY DEFAULT gen_random_uuid() NOT NULL,
	"operation" text NOT NULL,
	"arguments" text NOT NULL,
	"caller_id" text,
	"status" integer,
	"answer" text,
	"beat_at" timestamp with time zone DEFAULT now() NOT NULL,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL
);
--> statement-breakpoint
CREATE TABLE "results" (
	"id" bigserial PRIMARY KEY NOT NULL,
	"at" timestamp with time zone DEFAULT now() NOT NULL,
	"operation" text NOT NULL,
	"transport" text NOT NULL,
	"caller" text,
	"client" text NOT NULL,
	"version" text,
	"status" integer NOT NULL,
	"bytes" bigint NOT NULL,
	"tokens" integer
);
--> statement-breakpoint
CREATE INDEX "operations_created" ON "operations" USING btree ("created_at");