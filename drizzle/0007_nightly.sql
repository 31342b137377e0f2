CREATE TABLE "calibration" (
	"organisation_id" text NOT NULL,
	"version" text NOT NULL,
	"state" text NOT NULL,
	"document" jsonb,
	"report" jsonb NOT NULL,
	"computed_at" bigint NOT NULL,
	CONSTRAINT "calibration_organisation_id_version_pk" PRIMARY KEY("organisation_id","version")
);
--> statement-breakpoint
CREATE TABLE "disposable_source" (
	"source" text PRIMARY KEY NOT NULL,
	"sha256" text NOT NULL,
	"domains" text NOT NULL,
	"accepted_at" bigint NOT NULL
);
--> statement-breakpoint
CREATE TABLE "nightly_step" (
	"organisation_id" text NOT NULL,
	"step" text NOT NULL,
	"run_at" bigint NOT NULL,
	"finished_at" bigint NOT NULL,
	"ok" boolean NOT NULL,
	"report" jsonb NOT NULL,
	CONSTRAINT "nightly_step_organisation_id_step_pk" PRIMARY KEY("organisation_id","step")
);
