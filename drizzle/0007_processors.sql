CREATE TABLE "processor_connection" (
	"id" text PRIMARY KEY NOT NULL,
	"organisation_id" text NOT NULL,
	"kind" text NOT NULL,
	"secrets" text NOT NULL,
	"created_at" bigint NOT NULL
);
--> statement-breakpoint
CREATE TABLE "processor_reference" (
	"connection_id" text NOT NULL,
	"reference" text NOT NULL,
	"organisation_id" text NOT NULL,
	"address_hash" text NOT NULL,
	"seen_at" bigint NOT NULL,
	CONSTRAINT "processor_reference_connection_id_reference_pk" PRIMARY KEY("connection_id","reference")
);
--> statement-breakpoint
CREATE INDEX "processor_connection_organisation" ON "processor_connection" USING btree ("organisation_id");--> statement-breakpoint
CREATE INDEX "processor_reference_address" ON "processor_reference" USING btree ("address_hash");--> statement-breakpoint
CREATE INDEX "processor_reference_seen" ON "processor_reference" USING btree ("seen_at");