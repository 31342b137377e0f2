CREATE TABLE "mail_report" (
	"organisation_id" text NOT NULL,
	"id" uuid NOT NULL,
	"source" text NOT NULL,
	"address_hash" text NOT NULL,
	"outcome" text NOT NULL,
	"class" text,
	"basic_code" text,
	"enhanced_code" text,
	"at" bigint NOT NULL,
	"received_at" bigint NOT NULL,
	CONSTRAINT "mail_report_organisation_id_id_pk" PRIMARY KEY("organisation_id","id")
);
--> statement-breakpoint
CREATE TABLE "webhook_token" (
	"organisation_id" text NOT NULL,
	"token" text NOT NULL,
	"body" text NOT NULL,
	"seen_at" bigint NOT NULL,
	CONSTRAINT "webhook_token_organisation_id_token_pk" PRIMARY KEY("organisation_id","token")
);
--> statement-breakpoint
ALTER TABLE "processor_connection" ADD COLUMN "refused" integer DEFAULT 0 NOT NULL;--> statement-breakpoint
CREATE INDEX "mail_report_address" ON "mail_report" USING btree ("address_hash");--> statement-breakpoint
CREATE INDEX "mail_report_source" ON "mail_report" USING btree ("source","received_at");--> statement-breakpoint
CREATE INDEX "mail_report_at" ON "mail_report" USING btree ("at");--> statement-breakpoint
CREATE INDEX "webhook_token_seen" ON "webhook_token" USING btree ("seen_at");