CREATE TABLE "screening" (
	"id" uuid NOT NULL,
	"organisation_id" text NOT NULL,
	"mode" text NOT NULL,
	"key_id" text,
	"created_at" bigint NOT NULL,
	"address_hash" text,
	"display" text NOT NULL,
	"screening" jsonb NOT NULL,
	"cost_micros" bigint NOT NULL,
	"latency_ms" integer NOT NULL,
	CONSTRAINT "screening_organisation_id_mode_id_pk" PRIMARY KEY("organisation_id","mode","id")
) PARTITION BY RANGE ("id");
--> statement-breakpoint
CREATE INDEX "screening_key" ON "screening" USING btree ("organisation_id","mode","key_id","id");--> statement-breakpoint
CREATE INDEX "screening_address" ON "screening" USING btree ("organisation_id","address_hash");