CREATE TABLE "run_configurations" (
	"configuration_id" text NOT NULL,
	"run_id" uuid NOT NULL,
	"measurements" integer NOT NULL,
	"failures" integer NOT NULL,
	"excluded" integer NOT NULL,
	CONSTRAINT "run_configurations_configuration_id_run_id_pk" PRIMARY KEY("configuration_id","run_id")
);
--> statement-breakpoint
CREATE INDEX "run_configurations_run" ON "run_configurations" USING btree ("run_id");