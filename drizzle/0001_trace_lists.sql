DROP INDEX "trace_organisation";--> statement-breakpoint
DROP INDEX "trace_key";--> statement-breakpoint
DROP INDEX "trace_bulk_job";--> statement-breakpoint
DROP INDEX "trace_address";--> statement-breakpoint
ALTER TABLE "trace" DROP CONSTRAINT "trace_pkey";--> statement-breakpoint
ALTER TABLE "trace" ADD CONSTRAINT "trace_organisation_id_mode_id_pk" PRIMARY KEY("organisation_id","mode","id");--> statement-breakpoint
CREATE INDEX "trace_bulk_job_key" ON "trace" USING btree ((bulk_job_id || key_id),"mode","id") WHERE bulk_job_id is not null;--> statement-breakpoint
CREATE INDEX "trace_key" ON "trace" USING btree ("key_id","mode","id");--> statement-breakpoint
CREATE INDEX "trace_bulk_job" ON "trace" USING btree ("bulk_job_id","mode","id") WHERE bulk_job_id is not null;--> statement-breakpoint
CREATE INDEX "trace_address" ON "trace" USING btree ("address_hash");