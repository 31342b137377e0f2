CREATE TABLE "address_event" (
	"organisation_id" text NOT NULL,
	"address_hash" text NOT NULL,
	"metric" text NOT NULL,
	"last_at" bigint NOT NULL,
	CONSTRAINT "address_event_organisation_id_address_hash_metric_pk" PRIMARY KEY("organisation_id","address_hash","metric")
);
--> statement-breakpoint
CREATE TABLE "exposure" (
	"organisation_id" text NOT NULL,
	"address_hash" text NOT NULL,
	"trace_id" uuid NOT NULL,
	"at" bigint NOT NULL,
	"day" integer NOT NULL,
	"values" bigint[] NOT NULL,
	"experiment" bigint,
	"advisable" boolean NOT NULL,
	CONSTRAINT "exposure_organisation_id_address_hash_pk" PRIMARY KEY("organisation_id","address_hash")
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
CREATE INDEX "exposure_day" ON "exposure" USING btree ("organisation_id","day");--> statement-breakpoint
ALTER TABLE "segment_total" SET (toast_tuple_target = 8160);