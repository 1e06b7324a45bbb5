-- A schema and a table of the examples' own.  SQLAlchemy, Django and Drizzle
-- describe the same table in their own way.
CREATE SCHEMA IF NOT EXISTS flakeid_example;
DROP TABLE IF EXISTS flakeid_example.drinks;
CREATE TABLE flakeid_example.drinks (
	id bigint PRIMARY KEY DEFAULT fluid_generate(),
	ref uuid NOT NULL UNIQUE DEFAULT uuid_generate_v7(),
	note text NOT NULL
);
