CREATE TABLE "delivery_report" (
	"organisation_id" text NOT NULL,
	"address_hash" text NOT NULL,
	"source" text NOT NULL,
	"of" text NOT NULL,
	"class" text NOT NULL,
	"at" bigint NOT NULL,
	CONSTRAINT "delivery_report_organisation_id_address_hash_source_of_pk" PRIMARY KEY("organisation_id","address_hash","source","of")
);
--> statement-breakpoint
ALTER TABLE "trace" ADD COLUMN "learnt" jsonb;--> statement-breakpoint
CREATE INDEX "delivery_report_at" ON "delivery_report" USING btree ("at");