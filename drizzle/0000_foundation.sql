CREATE TABLE "api_key" (
	"id" text PRIMARY KEY NOT NULL,
	"organisation_id" text NOT NULL,
	"hash" text NOT NULL,
	"last4" text NOT NULL,
	"name" text NOT NULL,
	"role" text NOT NULL,
	"mode" text NOT NULL,
	"origin" text NOT NULL,
	"operator" boolean NOT NULL,
	"user_id" text,
	"secret_version" text NOT NULL,
	"created_at" bigint NOT NULL,
	"revoked_at" bigint
);
--> statement-breakpoint
CREATE TABLE "app_user" (
	"id" text PRIMARY KEY NOT NULL,
	"organisation_id" text NOT NULL,
	"email" text NOT NULL,
	"name" text,
	"created_at" bigint NOT NULL
);
--> statement-breakpoint
CREATE TABLE "cron_step" (
	"step" text PRIMARY KEY NOT NULL,
	"started_at" bigint NOT NULL,
	"finished_at" bigint NOT NULL,
	"report" jsonb NOT NULL
);
--> statement-breakpoint
CREATE TABLE "organisation" (
	"id" text PRIMARY KEY NOT NULL,
	"account_id" text NOT NULL,
	"name" text NOT NULL,
	"verification_quota" bigint NOT NULL,
	"screening_allowance" bigint NOT NULL,
	"enrichment_budget_micros" bigint NOT NULL,
	"rate_per_minute" integer NOT NULL,
	"created_at" bigint NOT NULL,
	"version" integer NOT NULL
);
--> statement-breakpoint
CREATE TABLE "trace" (
	"id" uuid PRIMARY KEY NOT NULL,
	"organisation_id" text NOT NULL,
	"verification_id" uuid,
	"kind" text NOT NULL,
	"mode" text NOT NULL,
	"key_id" text,
	"created_at" bigint NOT NULL,
	"address_hash" text,
	"display" text NOT NULL,
	"domain" text NOT NULL,
	"verdict" text NOT NULL,
	"bounce_probability" double precision NOT NULL,
	"recommendation" text NOT NULL,
	"reason" text,
	"email_type" text,
	"esp" text NOT NULL,
	"cost_micros" bigint NOT NULL,
	"latency_ms" integer NOT NULL,
	"cache_hit" boolean NOT NULL,
	"degraded" boolean NOT NULL,
	"bulk_job_id" text
) PARTITION BY RANGE ("id");
--> statement-breakpoint
CREATE TABLE "trace_detail" (
	"id" uuid PRIMARY KEY NOT NULL,
	"organisation_id" text NOT NULL,
	"detail" jsonb NOT NULL
) PARTITION BY RANGE ("id");
--> statement-breakpoint
CREATE TABLE "usage_month" (
	"organisation_id" text NOT NULL,
	"month" text NOT NULL,
	"usage" jsonb NOT NULL,
	"at" bigint NOT NULL,
	CONSTRAINT "usage_month_organisation_id_month_pk" PRIMARY KEY("organisation_id","month")
);
--> statement-breakpoint
CREATE INDEX "api_key_organisation" ON "api_key" USING btree ("organisation_id");--> statement-breakpoint
CREATE INDEX "app_user_organisation" ON "app_user" USING btree ("organisation_id");--> statement-breakpoint
CREATE INDEX "trace_organisation" ON "trace" USING btree ("organisation_id","mode","id");--> statement-breakpoint
CREATE INDEX "trace_key" ON "trace" USING btree ("key_id","id");--> statement-breakpoint
CREATE INDEX "trace_bulk_job" ON "trace" USING btree ("bulk_job_id","id") WHERE bulk_job_id is not null;--> statement-breakpoint
CREATE INDEX "trace_verification" ON "trace" USING btree ("verification_id") WHERE verification_id is not null;--> statement-breakpoint
CREATE INDEX "trace_address" ON "trace" USING btree ("organisation_id","address_hash");