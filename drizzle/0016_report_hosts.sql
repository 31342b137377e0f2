ALTER TABLE "mail_report" ADD COLUMN "means" text DEFAULT 'sent' NOT NULL;--> statement-breakpoint
ALTER TABLE "mail_report" ADD COLUMN "domain" text;--> statement-breakpoint
ALTER TABLE "mail_report" ADD COLUMN "host_class" text;