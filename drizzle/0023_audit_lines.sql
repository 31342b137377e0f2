CREATE TABLE "audit_line" (
	"id" text PRIMARY KEY NOT NULL,
	"organisation_id" text NOT NULL,
	"at" bigint NOT NULL,
	"actor" text NOT NULL,
	"action" text NOT NULL,
	"target" text NOT NULL,
	"summary" text NOT NULL,
	"entries" integer
);
--> statement-breakpoint
CREATE INDEX "audit_line_organisation" ON "audit_line" USING btree ("organisation_id","id");--> statement-breakpoint
CREATE INDEX "audit_line_at" ON "audit_line" USING btree ("at");