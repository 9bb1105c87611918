CREATE TABLE "claims" (
	"id" text PRIMARY KEY NOT NULL,
	"facts" jsonb NOT NULL,
	"origin" text DEFAULT 'seed' NOT NULL,
	"entered_by" text,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL
);
--> statement-breakpoint
CREATE TABLE "effective_lengths" (
	"id" text PRIMARY KEY NOT NULL,
	"model_id" text,
	"facts" jsonb NOT NULL,
	"origin" text DEFAULT 'seed' NOT NULL,
	"entered_by" text,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL
);
--> statement-breakpoint
CREATE INDEX "effective_lengths_model" ON "effective_lengths" USING btree ("model_id");