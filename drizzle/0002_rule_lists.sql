CREATE TABLE "address_rule" (
	"organisation_id" text NOT NULL,
	"id" text NOT NULL,
	"rule" text NOT NULL,
	"note" text,
	"created_at" bigint NOT NULL,
	"created_by" text NOT NULL,
	"hash" text NOT NULL,
	"display" text NOT NULL,
	CONSTRAINT "address_rule_organisation_id_hash_pk" PRIMARY KEY("organisation_id","hash")
);
--> statement-breakpoint
CREATE TABLE "domain_rule" (
	"organisation_id" text NOT NULL,
	"id" text NOT NULL,
	"rule" text NOT NULL,
	"note" text,
	"created_at" bigint NOT NULL,
	"created_by" text NOT NULL,
	"domain" text NOT NULL,
	CONSTRAINT "domain_rule_organisation_id_domain_pk" PRIMARY KEY("organisation_id","domain")
);
--> statement-breakpoint
ALTER TABLE "organisation" ADD COLUMN "domain_rules_version" bigint DEFAULT 0 NOT NULL;--> statement-breakpoint
ALTER TABLE "organisation" ADD COLUMN "address_rules_version" bigint DEFAULT 0 NOT NULL;