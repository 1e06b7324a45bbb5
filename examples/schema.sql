-- What each example makes in its own way.
CREATE TABLE orders (
	id bigint PRIMARY KEY DEFAULT fluid_generate(),
	ref uuid NOT NULL UNIQUE DEFAULT uuid_generate_v7(),
	note text NOT NULL
);
