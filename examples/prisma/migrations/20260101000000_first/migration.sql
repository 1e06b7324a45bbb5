-- Added by hand to what "prisma migrate dev --create-only" wrote: the shadow
-- database and a test database get the extension too.
CREATE EXTENSION IF NOT EXISTS flakeid;

-- CreateSchema
CREATE SCHEMA IF NOT EXISTS "flakeid_example";

-- CreateTable
CREATE TABLE "flakeid_example"."drinks" (
    "id" BIGINT NOT NULL DEFAULT fluid_generate(),
    "ref" UUID NOT NULL DEFAULT uuid_generate_v7(),
    "note" TEXT NOT NULL,

    CONSTRAINT "drinks_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "flakeid_example"."guests" (
    "id" UUID NOT NULL DEFAULT uuid_generate_v7(),
    "name" TEXT NOT NULL,

    CONSTRAINT "guests_pkey" PRIMARY KEY ("id")
);

-- CreateIndex
CREATE UNIQUE INDEX "drinks_ref_key" ON "flakeid_example"."drinks"("ref");
