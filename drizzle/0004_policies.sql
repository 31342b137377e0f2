CREATE TABLE "policy" (
	"organisation_id" text NOT NULL,
	"slug" text NOT NULL,
	"version" integer NOT NULL,
	"document" text NOT NULL,
	"created_at" bigint NOT NULL,
	"created_by" text,
	CONSTRAINT "policy_organisation_id_slug_version_pk" PRIMARY KEY("organisation_id","slug","version")
);
--> statement-breakpoint
ALTER TABLE "trace" ADD COLUMN "policy_decision" jsonb;