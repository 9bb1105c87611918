CREATE TABLE "scenarios" (
	"id" uuid PRIMARY KEY DEFAULT gen_random_uuid() NOT NULL,
	"name" text NOT NULL,
	"note" text,
	"query" text NOT NULL,
	"facts" jsonb NOT NULL,
	"answer" jsonb NOT NULL,
	"kept_by" text,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL,
	"removed_at" timestamp with time zone
);
--> statement-breakpoint
CREATE INDEX "scenarios_newest" ON "scenarios" USING btree ("created_at","id");