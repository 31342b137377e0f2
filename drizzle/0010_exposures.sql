ALTER TABLE "exposure" DROP CONSTRAINT "exposure_organisation_id_address_hash_pk";--> statement-breakpoint
ALTER TABLE "address_event" ALTER COLUMN "address_hash" SET DATA TYPE bytea USING decode("address_hash", 'hex');--> statement-breakpoint
ALTER TABLE "exposure" ALTER COLUMN "address_hash" SET DATA TYPE bytea USING decode("address_hash", 'hex');--> statement-breakpoint
ALTER TABLE "exposure" ADD CONSTRAINT "exposure_address_hash_organisation_id_pk" PRIMARY KEY("address_hash","organisation_id");--> statement-breakpoint
ALTER TABLE "exposure" ADD COLUMN "attributes" jsonb;--> statement-breakpoint
UPDATE "exposure" "x" SET "attributes" = "t"."policy_decision" -> 'attributes'
  FROM "trace" "t"
  WHERE "t"."organisation_id" = "x"."organisation_id" AND "t"."mode" = 'live' AND "t"."id" = "x"."trace_id"
    AND jsonb_typeof("t"."policy_decision" -> 'attributes') = 'object';
