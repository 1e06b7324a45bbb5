-- A schema and two tables of the examples' own.  The ORMs describe the same
-- tables in their own way.
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
