-- Written by hand: each PARTITION BY, no schema before the name of a table that is referred to, and the last five statements.
CREATE TABLE "audit_line" (
	"id" text PRIMARY KEY NOT NULL,
	"organisation_id" text NOT NULL,
	"at" bigint NOT NULL,
	"actor" text NOT NULL,
	"key_id" text,
	"action" text NOT NULL,
	"target" text NOT NULL,
	"summary" text NOT NULL,
	"entries" integer
);
--> statement-breakpoint
CREATE TABLE "address_event" (
	"organisation_id" text NOT NULL,
	"address_hash" "bytea" NOT NULL,
	"metric" text NOT NULL,
	"last_at" bigint NOT NULL,
	CONSTRAINT "address_event_organisation_id_address_hash_metric_pk" PRIMARY KEY("organisation_id","address_hash","metric")
);
--> statement-breakpoint
CREATE TABLE "exposure" (
	"organisation_id" text NOT NULL,
	"address_hash" "bytea" NOT NULL,
	"trace_id" uuid NOT NULL,
	"at" bigint NOT NULL,
	"day" integer NOT NULL,
	"values" bigint[] NOT NULL,
	"experiment" bigint,
	"advisable" boolean NOT NULL,
	"attributes" jsonb,
	CONSTRAINT "exposure_address_hash_organisation_id_pk" PRIMARY KEY("address_hash","organisation_id")
);
--> statement-breakpoint
CREATE TABLE "rollup" (
	"organisation_id" text PRIMARY KEY NOT NULL,
	"computed_at" bigint,
	"generation" integer DEFAULT 0 NOT NULL,
	"metrics" text[],
	"changed" boolean DEFAULT false NOT NULL,
	"building_at" bigint,
	"building_metrics" text[],
	"built" text,
	"run" text
);
--> statement-breakpoint
CREATE TABLE "rollup_source" (
	"organisation_id" text NOT NULL,
	"kind" text NOT NULL,
	"day" integer NOT NULL,
	"rows" integer NOT NULL,
	"joins" jsonb,
	"unmatched" integer DEFAULT 0 NOT NULL,
	CONSTRAINT "rollup_source_organisation_id_kind_day_pk" PRIMARY KEY("organisation_id","kind","day")
);
--> statement-breakpoint
CREATE TABLE "segment_cell" (
	"organisation_id" text NOT NULL,
	"generation" integer NOT NULL,
	"cell" integer NOT NULL,
	"key" jsonb NOT NULL,
	"exposures" integer NOT NULL,
	"a" bigint[] NOT NULL,
	"b" bigint[] NOT NULL,
	CONSTRAINT "segment_cell_organisation_id_generation_cell_pk" PRIMARY KEY("organisation_id","generation","cell")
);
--> statement-breakpoint
CREATE TABLE "segment_day" (
	"organisation_id" text NOT NULL,
	"metric" text NOT NULL,
	"day" integer NOT NULL,
	"stale" boolean NOT NULL,
	"a" bigint[] DEFAULT '{}' NOT NULL,
	"b" bigint[] DEFAULT '{}' NOT NULL,
	"counts" integer[] DEFAULT '{}' NOT NULL,
	"advisable" integer[] DEFAULT '{}' NOT NULL,
	CONSTRAINT "segment_day_organisation_id_metric_day_pk" PRIMARY KEY("organisation_id","metric","day")
);
--> statement-breakpoint
CREATE TABLE "segment_total" (
	"organisation_id" text NOT NULL,
	"generation" integer NOT NULL,
	"metric" text NOT NULL,
	"cell" integer NOT NULL,
	"days" integer[] NOT NULL,
	"totals" integer[] NOT NULL,
	"advisable" integer[] NOT NULL,
	CONSTRAINT "segment_total_organisation_id_generation_metric_cell_pk" PRIMARY KEY("organisation_id","generation","metric","cell")
);
--> statement-breakpoint
CREATE TABLE "segment_value" (
	"organisation_id" text NOT NULL,
	"id" bigint NOT NULL,
	"dimension" text NOT NULL,
	"value" jsonb NOT NULL,
	CONSTRAINT "segment_value_organisation_id_id_pk" PRIMARY KEY("organisation_id","id")
);
--> statement-breakpoint
CREATE TABLE "invitation" (
	"id" text PRIMARY KEY NOT NULL,
	"organisation_id" text NOT NULL,
	"email" text NOT NULL,
	"role" text NOT NULL,
	"created_at" bigint NOT NULL,
	"expires_at" bigint NOT NULL,
	"created_by" text NOT NULL
);
--> statement-breakpoint
CREATE TABLE "membership" (
	"organisation_id" text NOT NULL,
	"user_id" text NOT NULL,
	"email" text NOT NULL,
	"name" text,
	"role" text NOT NULL,
	"created_at" bigint NOT NULL,
	"created_by" text NOT NULL,
	CONSTRAINT "membership_organisation_id_user_id_pk" PRIMARY KEY("organisation_id","user_id")
);
--> statement-breakpoint
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
CREATE TABLE "calibration" (
	"organisation_id" text PRIMARY KEY NOT NULL,
	"report" jsonb NOT NULL,
	"computed_at" bigint NOT NULL
);
--> statement-breakpoint
CREATE TABLE "disposable_source" (
	"source" text PRIMARY KEY NOT NULL,
	"sha256" text NOT NULL,
	"domains" text NOT NULL,
	"accepted_at" bigint NOT NULL,
	"earlier" jsonb NOT NULL
);
--> statement-breakpoint
CREATE TABLE "nightly_step" (
	"organisation_id" text NOT NULL,
	"step" text NOT NULL,
	"run_at" bigint NOT NULL,
	"finished_at" bigint NOT NULL,
	"ok" boolean NOT NULL,
	"report" jsonb NOT NULL,
	CONSTRAINT "nightly_step_organisation_id_step_pk" PRIMARY KEY("organisation_id","step")
);
--> statement-breakpoint
CREATE TABLE "mail_report" (
	"organisation_id" text NOT NULL,
	"id" uuid NOT NULL,
	"source" text NOT NULL,
	"address_hash" text NOT NULL,
	"outcome" text NOT NULL,
	"class" text,
	"unread" boolean NOT NULL,
	"means" text NOT NULL,
	"domain" text,
	"host_class" text,
	"basic_code" text,
	"enhanced_code" text,
	"at" bigint NOT NULL,
	"received_at" bigint NOT NULL,
	CONSTRAINT "mail_report_organisation_id_id_pk" PRIMARY KEY("organisation_id","id")
);
--> statement-breakpoint
CREATE TABLE "processor_connection" (
	"id" text PRIMARY KEY NOT NULL,
	"organisation_id" text NOT NULL,
	"kind" text NOT NULL,
	"secrets" text NOT NULL,
	"created_at" bigint NOT NULL,
	"refused" integer DEFAULT 0 NOT NULL
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
CREATE TABLE "suppressed_address" (
	"organisation_id" text NOT NULL,
	"address_hash" text NOT NULL,
	"at" bigint NOT NULL,
	CONSTRAINT "suppressed_address_organisation_id_address_hash_pk" PRIMARY KEY("organisation_id","address_hash")
);
--> statement-breakpoint
CREATE TABLE "webhook_token" (
	"organisation_id" text NOT NULL,
	"token" text NOT NULL,
	"body" text NOT NULL,
	"seen_at" bigint NOT NULL,
	CONSTRAINT "webhook_token_organisation_id_token_pk" PRIMARY KEY("organisation_id","token")
);
--> statement-breakpoint
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
CREATE TABLE "api_key" (
	"id" text PRIMARY KEY NOT NULL,
	"organisation_id" text NOT NULL,
	"hash" text NOT NULL,
	"last4" text NOT NULL,
	"name" text NOT NULL,
	"role" text NOT NULL,
	"mode" text NOT NULL,
	"origin" text NOT NULL,
	"operator" boolean NOT NULL,
	"user_id" text,
	"secret_version" text NOT NULL,
	"created_at" bigint NOT NULL,
	"created_by" text NOT NULL,
	"expires_at" bigint,
	"previous_hash" text,
	"previous_last4" text,
	"previous_until" bigint,
	"revoked_at" bigint
);
--> statement-breakpoint
CREATE TABLE "app_user" (
	"id" text PRIMARY KEY NOT NULL,
	"organisation_id" text NOT NULL,
	"email" text NOT NULL,
	"name" text,
	"created_at" bigint NOT NULL
);
--> statement-breakpoint
CREATE TABLE "bulk_job" (
	"organisation_id" text NOT NULL,
	"id" text NOT NULL,
	"version" integer NOT NULL,
	"record" jsonb NOT NULL,
	CONSTRAINT "bulk_job_organisation_id_id_pk" PRIMARY KEY("organisation_id","id")
);
--> statement-breakpoint
CREATE TABLE "cron_step" (
	"step" text PRIMARY KEY NOT NULL,
	"started_at" bigint NOT NULL,
	"finished_at" bigint NOT NULL,
	"report" jsonb NOT NULL
);
--> statement-breakpoint
CREATE TABLE "delivery_report" (
	"organisation_id" text NOT NULL,
	"address_hash" text NOT NULL,
	"source" text NOT NULL,
	"of" text NOT NULL,
	"class" text NOT NULL,
	"at" bigint NOT NULL,
	CONSTRAINT "delivery_report_organisation_id_address_hash_source_of_pk" PRIMARY KEY("organisation_id","address_hash","source","of")
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
CREATE TABLE "event" (
	"id" uuid NOT NULL,
	"organisation_id" text NOT NULL,
	"mode" text NOT NULL,
	"source" text NOT NULL,
	"event" text NOT NULL,
	"at" bigint NOT NULL,
	"created_at" bigint NOT NULL,
	"trace_id" uuid,
	"address_hash" text,
	"properties" jsonb,
	CONSTRAINT "event_organisation_id_mode_id_pk" PRIMARY KEY("organisation_id","mode","id")
) PARTITION BY RANGE ("id");
--> statement-breakpoint
CREATE TABLE "losses" (
	"organisation_id" text NOT NULL,
	"version" integer NOT NULL,
	"document" text NOT NULL,
	"created_at" bigint NOT NULL,
	"created_by" text,
	CONSTRAINT "losses_organisation_id_version_pk" PRIMARY KEY("organisation_id","version")
);
--> statement-breakpoint
CREATE TABLE "organisation" (
	"id" text PRIMARY KEY NOT NULL,
	"account_id" text NOT NULL,
	"name" text NOT NULL,
	"verification_quota" bigint NOT NULL,
	"screening_allowance" bigint NOT NULL,
	"enrichment_budget_micros" bigint NOT NULL,
	"provider_budget_micros" bigint,
	"rate_per_minute" integer NOT NULL,
	"created_at" bigint NOT NULL,
	"version" integer NOT NULL,
	"privacy" jsonb,
	"alerts" jsonb,
	"second_factor" boolean DEFAULT false NOT NULL,
	"domain_rules_version" bigint DEFAULT 0 NOT NULL,
	"address_rules_version" bigint DEFAULT 0 NOT NULL
);
--> statement-breakpoint
CREATE TABLE "outcome" (
	"organisation_id" text NOT NULL,
	"mode" text NOT NULL,
	"verification_id" uuid,
	"trace_id" text NOT NULL,
	"id" uuid NOT NULL,
	"key_id" text,
	"outcome" text NOT NULL,
	"class" text,
	"unread" boolean NOT NULL,
	"basic_code" text,
	"enhanced_code" text,
	"reported_at" bigint NOT NULL,
	CONSTRAINT "outcome_organisation_id_mode_trace_id_pk" PRIMARY KEY("organisation_id","mode","trace_id")
);
--> statement-breakpoint
CREATE TABLE "policy" (
	"organisation_id" text NOT NULL,
	"slug" text NOT NULL,
	"version" integer NOT NULL,
	"document" text NOT NULL,
	"created_at" bigint NOT NULL,
	"created_by" text,
	CONSTRAINT "policy_organisation_id_slug_version_pk" PRIMARY KEY("organisation_id","slug","version")
);
--> statement-breakpoint
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
CREATE TABLE "trace" (
	"id" uuid NOT NULL,
	"organisation_id" text NOT NULL,
	"verification_id" uuid,
	"kind" text NOT NULL,
	"mode" text NOT NULL,
	"key_id" text,
	"created_at" bigint NOT NULL,
	"address_hash" text,
	"display" text NOT NULL,
	"domain" text NOT NULL,
	"meant_domain" text,
	"verdict" text NOT NULL,
	"bounce_probability" double precision NOT NULL,
	"recommendation" text NOT NULL,
	"reason" text,
	"email_type" text,
	"esp" text NOT NULL,
	"cost_micros" bigint NOT NULL,
	"latency_ms" integer NOT NULL,
	"cache_hit" boolean NOT NULL,
	"degraded" boolean NOT NULL,
	"bulk_job_id" text,
	"policy_decision" jsonb,
	"actor_class" text NOT NULL,
	"mailbox_type" text NOT NULL,
	"disposable" boolean NOT NULL,
	"role_account" boolean NOT NULL,
	"host_class" text,
	"back_ends" text,
	"sent_to" text NOT NULL,
	"observation" jsonb,
	CONSTRAINT "trace_organisation_id_mode_id_pk" PRIMARY KEY("organisation_id","mode","id")
) PARTITION BY RANGE ("id");
--> statement-breakpoint
CREATE TABLE "trace_detail" (
	"id" uuid PRIMARY KEY NOT NULL,
	"organisation_id" text NOT NULL,
	"detail" jsonb NOT NULL
) PARTITION BY RANGE ("id");
--> statement-breakpoint
CREATE TABLE "usage_month" (
	"organisation_id" text NOT NULL,
	"month" text NOT NULL,
	"usage" jsonb NOT NULL,
	"at" bigint NOT NULL,
	CONSTRAINT "usage_month_organisation_id_month_pk" PRIMARY KEY("organisation_id","month")
);
--> statement-breakpoint
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
CREATE TABLE "auth_account" (
	"id" text PRIMARY KEY NOT NULL,
	"account_id" text NOT NULL,
	"provider_id" text NOT NULL,
	"user_id" text NOT NULL,
	"access_token" text,
	"refresh_token" text,
	"id_token" text,
	"access_token_expires_at" timestamp with time zone,
	"refresh_token_expires_at" timestamp with time zone,
	"scope" text,
	"password" text,
	"created_at" timestamp with time zone NOT NULL,
	"updated_at" timestamp with time zone NOT NULL
);
--> statement-breakpoint
CREATE TABLE "auth_passkey" (
	"id" text PRIMARY KEY NOT NULL,
	"name" text,
	"public_key" text NOT NULL,
	"user_id" text NOT NULL,
	"credential_id" text NOT NULL,
	"counter" integer NOT NULL,
	"device_type" text NOT NULL,
	"backed_up" boolean NOT NULL,
	"transports" text,
	"created_at" timestamp with time zone,
	"aaguid" text
);
--> statement-breakpoint
CREATE TABLE "auth_rate" (
	"key" text PRIMARY KEY NOT NULL,
	"window_start" bigint NOT NULL,
	"count" integer NOT NULL
);
--> statement-breakpoint
CREATE TABLE "auth_session" (
	"id" text PRIMARY KEY NOT NULL,
	"token" text NOT NULL,
	"user_id" text NOT NULL,
	"expires_at" timestamp with time zone NOT NULL,
	"ip_address" text,
	"user_agent" text,
	"second_factor_at" timestamp with time zone,
	"created_at" timestamp with time zone NOT NULL,
	"updated_at" timestamp with time zone NOT NULL,
	CONSTRAINT "auth_session_token_unique" UNIQUE("token")
);
--> statement-breakpoint
CREATE TABLE "auth_two_factor" (
	"id" text PRIMARY KEY NOT NULL,
	"user_id" text NOT NULL,
	"secret" text NOT NULL,
	"backup_codes" text NOT NULL,
	"verified" boolean NOT NULL,
	"failed_verification_count" integer DEFAULT 0 NOT NULL,
	"locked_until" timestamp with time zone
);
--> statement-breakpoint
CREATE TABLE "auth_user" (
	"id" text PRIMARY KEY NOT NULL,
	"name" text NOT NULL,
	"email" text NOT NULL,
	"email_verified" boolean NOT NULL,
	"image" text,
	"two_factor_enabled" boolean DEFAULT false NOT NULL,
	"created_at" timestamp with time zone NOT NULL,
	"updated_at" timestamp with time zone NOT NULL,
	CONSTRAINT "auth_user_email_unique" UNIQUE("email")
);
--> statement-breakpoint
CREATE TABLE "auth_verification" (
	"id" text PRIMARY KEY NOT NULL,
	"identifier" text NOT NULL,
	"value" text NOT NULL,
	"expires_at" timestamp with time zone NOT NULL,
	"created_at" timestamp with time zone NOT NULL,
	"updated_at" timestamp with time zone NOT NULL
);
--> statement-breakpoint
ALTER TABLE "auth_account" ADD CONSTRAINT "auth_account_user_id_auth_user_id_fk" FOREIGN KEY ("user_id") REFERENCES "auth_user"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "auth_passkey" ADD CONSTRAINT "auth_passkey_user_id_auth_user_id_fk" FOREIGN KEY ("user_id") REFERENCES "auth_user"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "auth_session" ADD CONSTRAINT "auth_session_user_id_auth_user_id_fk" FOREIGN KEY ("user_id") REFERENCES "auth_user"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "auth_two_factor" ADD CONSTRAINT "auth_two_factor_user_id_auth_user_id_fk" FOREIGN KEY ("user_id") REFERENCES "auth_user"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "audit_line_organisation" ON "audit_line" USING btree ("organisation_id","id");--> statement-breakpoint
CREATE INDEX "audit_line_at" ON "audit_line" USING btree ("at");--> statement-breakpoint
CREATE INDEX "exposure_day" ON "exposure" USING btree ("organisation_id","day");--> statement-breakpoint
CREATE INDEX "invitation_organisation" ON "invitation" USING btree ("organisation_id");--> statement-breakpoint
CREATE INDEX "invitation_email" ON "invitation" USING btree ("email");--> statement-breakpoint
CREATE INDEX "membership_user" ON "membership" USING btree ("user_id");--> statement-breakpoint
CREATE INDEX "membership_email" ON "membership" USING btree ("email");--> statement-breakpoint
CREATE INDEX "back_end_domain_domain" ON "back_end_domain" USING btree ("domain");--> statement-breakpoint
CREATE INDEX "mail_report_address" ON "mail_report" USING btree ("address_hash");--> statement-breakpoint
CREATE INDEX "mail_report_source" ON "mail_report" USING btree ("source","received_at");--> statement-breakpoint
CREATE INDEX "mail_report_at" ON "mail_report" USING btree ("at");--> statement-breakpoint
CREATE INDEX "processor_connection_organisation" ON "processor_connection" USING btree ("organisation_id");--> statement-breakpoint
CREATE INDEX "processor_reference_address" ON "processor_reference" USING btree ("address_hash");--> statement-breakpoint
CREATE INDEX "processor_reference_seen" ON "processor_reference" USING btree ("seen_at");--> statement-breakpoint
CREATE INDEX "webhook_token_seen" ON "webhook_token" USING btree ("seen_at");--> statement-breakpoint
CREATE INDEX "api_key_organisation" ON "api_key" USING btree ("organisation_id");--> statement-breakpoint
CREATE INDEX "app_user_organisation" ON "app_user" USING btree ("organisation_id");--> statement-breakpoint
CREATE INDEX "delivery_report_at" ON "delivery_report" USING btree ("at");--> statement-breakpoint
CREATE INDEX "event_trace" ON "event" USING btree ("trace_id");--> statement-breakpoint
CREATE INDEX "event_address" ON "event" USING btree ("address_hash");--> statement-breakpoint
CREATE INDEX "outcome_verification" ON "outcome" USING btree ("verification_id");--> statement-breakpoint
CREATE INDEX "outcome_reported" ON "outcome" USING btree ("reported_at");--> statement-breakpoint
CREATE INDEX "screening_key" ON "screening" USING btree ("organisation_id","mode","key_id","id");--> statement-breakpoint
CREATE INDEX "screening_address" ON "screening" USING btree ("organisation_id","address_hash");--> statement-breakpoint
CREATE INDEX "trace_key" ON "trace" USING btree ("key_id","mode","id");--> statement-breakpoint
CREATE INDEX "trace_bulk_job" ON "trace" USING btree ("bulk_job_id","mode","id") WHERE bulk_job_id is not null;--> statement-breakpoint
CREATE INDEX "trace_bulk_job_key" ON "trace" USING btree ((bulk_job_id || key_id),"mode","id") WHERE bulk_job_id is not null;--> statement-breakpoint
CREATE INDEX "trace_verification" ON "trace" USING btree ("verification_id") WHERE verification_id is not null;--> statement-breakpoint
CREATE INDEX "trace_address" ON "trace" USING btree ("address_hash");--> statement-breakpoint
CREATE INDEX "trace_domain" ON "trace" USING btree ((organisation_id || ' ' || domain),"mode","id");--> statement-breakpoint
CREATE INDEX "trace_reason" ON "trace" USING btree ((organisation_id || ' ' || reason),"mode","id") WHERE reason is not null;--> statement-breakpoint
CREATE INDEX "trace_decision" ON "trace" USING btree ((organisation_id || ' ' || (policy_decision ->> 'decision')),"mode","id") WHERE policy_decision is not null;--> statement-breakpoint
CREATE INDEX "trace_emailtype" ON "trace" USING btree ((organisation_id || ' ' || email_type),"mode","id") WHERE email_type not in ('business', 'free');--> statement-breakpoint
CREATE INDEX "trace_recommendation" ON "trace" USING btree ((organisation_id || ' ' || recommendation),"mode","id") WHERE recommendation <> 'send';--> statement-breakpoint
CREATE INDEX "trace_verdict" ON "trace" USING btree ((organisation_id || ' ' || verdict),"mode","id") WHERE verdict not in ('valid', 'likely_valid');--> statement-breakpoint
CREATE INDEX "trace_esp" ON "trace" USING btree ((organisation_id || ' ' || esp),"mode","id") WHERE esp in ('self_hosted', 'unknown');--> statement-breakpoint
CREATE INDEX "trace_kind" ON "trace" USING btree ((organisation_id || ' ' || kind),"mode","id") WHERE kind = 'decide';--> statement-breakpoint
CREATE INDEX "auth_account_user" ON "auth_account" USING btree ("user_id");--> statement-breakpoint
CREATE INDEX "auth_passkey_user" ON "auth_passkey" USING btree ("user_id");--> statement-breakpoint
CREATE INDEX "auth_passkey_credential" ON "auth_passkey" USING btree ("credential_id");--> statement-breakpoint
CREATE INDEX "auth_session_user" ON "auth_session" USING btree ("user_id");--> statement-breakpoint
CREATE INDEX "auth_two_factor_user" ON "auth_two_factor" USING btree ("user_id");--> statement-breakpoint
CREATE INDEX "auth_verification_identifier" ON "auth_verification" USING btree ("identifier");--> statement-breakpoint
ALTER TABLE "segment_total" SET (toast_tuple_target = 8160);--> statement-breakpoint
-- The Worker's role owns no table: it makes and drops the months of partitioned tables by these two, which run as the owner.
CREATE FUNCTION make_partition(parent regclass, suffix text, first_id uuid, end_id uuid) RETURNS void
LANGUAGE plpgsql SECURITY DEFINER SET search_path FROM CURRENT AS $$
BEGIN
	IF suffix !~ '^\d{4,6}_\d\d$' THEN RAISE EXCEPTION 'not a month: %', suffix; END IF;
	EXECUTE format('CREATE TABLE IF NOT EXISTS %I PARTITION OF %s FOR VALUES FROM (%L) TO (%L)', parent || '_' || suffix, parent, first_id, end_id);
END $$;--> statement-breakpoint
-- A drop locks the parent too, but only after it has found the partition, so it would fail when another run drops that meanwhile.
CREATE FUNCTION drop_partition(parent regclass, suffix text) RETURNS void
LANGUAGE plpgsql SECURITY DEFINER SET search_path FROM CURRENT SET lock_timeout = '1s' AS $$
BEGIN
	IF suffix !~ '^\d{4,6}_\d\d$' THEN RAISE EXCEPTION 'not a month: %', suffix; END IF;
	EXECUTE format('LOCK TABLE ONLY %s IN ACCESS EXCLUSIVE MODE', parent);
	EXECUTE format('DROP TABLE IF EXISTS %I', parent || '_' || suffix);
END $$;--> statement-breakpoint
REVOKE ALL ON FUNCTION make_partition(regclass, text, uuid, uuid) FROM PUBLIC;--> statement-breakpoint
REVOKE ALL ON FUNCTION drop_partition(regclass, text) FROM PUBLIC;
