CREATE TABLE "usage_day" (
	"organisation_id" text NOT NULL,
	"day" integer NOT NULL,
	"key_id" text NOT NULL,
	"kind" text NOT NULL,
	"recommendation" text NOT NULL,
	"decision" text NOT NULL,
	"calls" bigint NOT NULL,
	"cost_micros" bigint NOT NULL,
	CONSTRAINT "usage_day_cell" PRIMARY KEY("organisation_id","day","key_id","kind","recommendation","decision")
);
--> statement-breakpoint
CREATE INDEX "trace_domain" ON "trace" USING btree ((organisation_id || ' ' || domain),"mode","id");--> statement-breakpoint
CREATE INDEX "trace_reason" ON "trace" USING btree ((organisation_id || ' ' || reason),"mode","id") WHERE reason is not null;--> statement-breakpoint
CREATE INDEX "trace_decision" ON "trace" USING btree ((organisation_id || ' ' || (policy_decision ->> 'decision')),"mode","id") WHERE policy_decision is not null;--> statement-breakpoint
CREATE INDEX "trace_emailtype" ON "trace" USING btree ((organisation_id || ' ' || email_type),"mode","id") WHERE email_type not in ('business', 'free');--> statement-breakpoint
CREATE INDEX "trace_recommendation" ON "trace" USING btree ((organisation_id || ' ' || recommendation),"mode","id") WHERE recommendation <> 'send';--> statement-breakpoint
CREATE INDEX "trace_verdict" ON "trace" USING btree ((organisation_id || ' ' || verdict),"mode","id") WHERE verdict not in ('valid', 'likely_valid');--> statement-breakpoint
CREATE INDEX "trace_esp" ON "trace" USING btree ((organisation_id || ' ' || esp),"mode","id") WHERE esp in ('self_hosted', 'unknown');--> statement-breakpoint
CREATE INDEX "trace_kind" ON "trace" USING btree ((organisation_id || ' ' || kind),"mode","id") WHERE kind = 'decide';--> statement-breakpoint
INSERT INTO "usage_day" (organisation_id, day, key_id, kind, recommendation, decision, calls, cost_micros)
  SELECT organisation_id, created_at / 86400000, coalesce(key_id, ''), kind, recommendation,
    coalesce(policy_decision ->> 'decision', ''), count(*), sum(cost_micros)
  FROM "trace" WHERE mode = 'live' GROUP BY 1, 2, 3, 4, 5, 6;--> statement-breakpoint
INSERT INTO "usage_day" (organisation_id, day, key_id, kind, recommendation, decision, calls, cost_micros)
  SELECT organisation_id, created_at / 86400000, coalesce(key_id, ''), 'screen', screening ->> 'recommendation', '',
    count(*), sum(cost_micros)
  FROM "screening" WHERE mode = 'live' GROUP BY 1, 2, 3, 4, 5, 6;
