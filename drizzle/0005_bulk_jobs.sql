CREATE TABLE "bulk_job" (
	"organisation_id" text NOT NULL,
	"id" text NOT NULL,
	"version" integer NOT NULL,
	"record" jsonb NOT NULL,
	CONSTRAINT "bulk_job_organisation_id_id_pk" PRIMARY KEY("organisation_id","id")
);
