ALTER TABLE "organisation" ADD COLUMN "privacy" jsonb;--> statement-breakpoint
ALTER TABLE "trace" ADD COLUMN "sent_to" text;