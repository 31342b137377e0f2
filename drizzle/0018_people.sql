CREATE TABLE "invitation" (
	"id" text PRIMARY KEY NOT NULL,
	"organisation_id" text NOT NULL,
	"email" text NOT NULL,
	"role" text NOT NULL,
	"created_at" bigint NOT NULL,
	"expires_at" bigint NOT NULL,
	"created_by" text NOT NULL
);
--> statement-breakpoint
CREATE TABLE "membership" (
	"organisation_id" text NOT NULL,
	"user_id" text NOT NULL,
	"email" text NOT NULL,
	"name" text,
	"role" text NOT NULL,
	"created_at" bigint NOT NULL,
	"created_by" text,
	CONSTRAINT "membership_organisation_id_user_id_pk" PRIMARY KEY("organisation_id","user_id")
);
--> statement-breakpoint
ALTER TABLE "api_key" ADD COLUMN "created_by" text;--> statement-breakpoint
ALTER TABLE "api_key" ADD COLUMN "expires_at" bigint;--> statement-breakpoint
ALTER TABLE "api_key" ADD COLUMN "previous_hash" text;--> statement-breakpoint
ALTER TABLE "api_key" ADD COLUMN "previous_last4" text;--> statement-breakpoint
ALTER TABLE "api_key" ADD COLUMN "previous_until" bigint;--> statement-breakpoint
CREATE INDEX "invitation_organisation" ON "invitation" USING btree ("organisation_id");--> statement-breakpoint
CREATE INDEX "invitation_email" ON "invitation" USING btree ("email");--> statement-breakpoint
CREATE INDEX "membership_user" ON "membership" USING btree ("user_id");--> statement-breakpoint
CREATE INDEX "membership_email" ON "membership" USING btree ("email");