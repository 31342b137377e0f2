CREATE TABLE "event" (
	"id" uuid NOT NULL,
	"organisation_id" text NOT NULL,
	"mode" text NOT NULL,
	"source" text NOT NULL,
	"event" text NOT NULL,
	"at" bigint NOT NULL,
	"created_at" bigint NOT NULL,
	"trace_id" uuid,
	"address_hash" text,
	"properties" jsonb,
	CONSTRAINT "event_organisation_id_mode_id_pk" PRIMARY KEY("organisation_id","mode","id")
) PARTITION BY RANGE ("id");
--> statement-breakpoint
CREATE TABLE "outcome" (
	"organisation_id" text NOT NULL,
	"mode" text NOT NULL,
	"verification_id" uuid,
	"trace_id" text NOT NULL,
	"id" uuid NOT NULL,
	"key_id" text,
	"outcome" text NOT NULL,
	"basic_code" text,
	"enhanced_code" text,
	"reported_at" bigint NOT NULL,
	CONSTRAINT "outcome_organisation_id_mode_trace_id_pk" PRIMARY KEY("organisation_id","mode","trace_id")
);
--> statement-breakpoint
ALTER TABLE "trace" ADD COLUMN "actor_class" text;--> statement-breakpoint
ALTER TABLE "trace" ADD COLUMN "mailbox_type" text;--> statement-breakpoint
ALTER TABLE "trace" ADD COLUMN "disposable" boolean;--> statement-breakpoint
ALTER TABLE "trace" ADD COLUMN "role_account" boolean;--> statement-breakpoint
ALTER TABLE "trace" ADD COLUMN "host_class" text;--> statement-breakpoint
ALTER TABLE "trace" ADD COLUMN "answers" text;--> statement-breakpoint
ALTER TABLE "trace" ADD COLUMN "ln_odds" real;--> statement-breakpoint
CREATE INDEX "event_trace" ON "event" USING btree ("trace_id");--> statement-breakpoint
CREATE INDEX "event_address" ON "event" USING btree ("address_hash");--> statement-breakpoint
CREATE INDEX "outcome_verification" ON "outcome" USING btree ("verification_id");--> statement-breakpoint
CREATE INDEX "outcome_reported" ON "outcome" USING btree ("reported_at");