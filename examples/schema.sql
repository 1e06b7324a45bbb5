-- The tables of the examples, in a schema of their own.  Each ORM describes the
-- same tables in its own code.
CREATE EXTENSION IF NOT EXISTS flakeid;
CREATE SCHEMA IF NOT EXISTS flakeid_example;
DROP TABLE IF EXISTS flakeid_example.drinks, flakeid_example.guests;
CREATE TABLE flakeid_example.drinks (
	id bigint PRIMARY KEY DEFAULT fluid_generate(),
	ref uuid NOT NULL UNIQUE DEFAULT uuid_generate_v7(),
	note text NOT NULL
);
CREATE TABLE flakeid_example.guests (
	id uuid PRIMARY KEY DEFAULT uuid_generate_v7(),
	name text NOT NULL
);
