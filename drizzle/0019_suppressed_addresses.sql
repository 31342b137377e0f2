CREATE TABLE "suppressed_address" (
	"organisation_id" text NOT NULL,
	"address_hash" text NOT NULL,
	"at" bigint NOT NULL,
	CONSTRAINT "suppressed_address_organisation_id_address_hash_pk" PRIMARY KEY("organisation_id","address_hash")
);
