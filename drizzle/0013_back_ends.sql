CREATE TABLE "back_end_domain" (
	"back_end" text NOT NULL,
	"domain" text NOT NULL,
	"seen_as" text NOT NULL,
	"seen_by" text[] NOT NULL,
	"first_day" integer NOT NULL,
	"last_day" integer NOT NULL,
	CONSTRAINT "back_end_domain_back_end_domain_pk" PRIMARY KEY("back_end","domain")
);
--> statement-breakpoint
ALTER TABLE "trace" ADD COLUMN "back_ends" text;--> statement-breakpoint
CREATE INDEX "back_end_domain_domain" ON "back_end_domain" USING btree ("domain");