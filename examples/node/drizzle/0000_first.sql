-- The first line is added by hand to what "drizzle-kit generate" wrote.
CREATE EXTENSION IF NOT EXISTS flakeid;
--> statement-breakpoint
CREATE SCHEMA IF NOT EXISTS "flakeid_example";
--> statement-breakpoint
CREATE TABLE "flakeid_example"."drinks" (
	"id" bigint PRIMARY KEY DEFAULT fluid_generate() NOT NULL,
	"ref" uuid DEFAULT uuid_generate_v7() NOT NULL,
	"note" text NOT NULL,
	CONSTRAINT "drinks_ref_unique" UNIQUE("ref")
);
--> statement-breakpoint
CREATE TABLE "flakeid_example"."guests" (
	"id" uuid PRIMARY KEY DEFAULT uuid_generate_v7() NOT NULL,
	"name" text NOT NULL
);
