CREATE TABLE "traces" (
	"id" text PRIMARY KEY NOT NULL,
	"name" text NOT NULL,
	"requests" integer NOT NULL,
	"summary" jsonb NOT NULL,
	"columns" jsonb NOT NULL,
	"source" text NOT NULL,
	"href" text,
	"licence" text,
	"citation" text,
	"notes" jsonb DEFAULT '[]'::jsonb NOT NULL,
	"origin" text DEFAULT 'seed' NOT NULL,
	"sent_by" text,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL
);
