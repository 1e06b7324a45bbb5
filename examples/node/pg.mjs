// Node's pg: returns a bigint as a string, and accepts a string for a bigint.
import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import pg from 'pg';

const client = new pg.Client(); // connects by PGHOST, PGDATABASE, ...
await client.connect();
await client.query(
  await readFile(new URL('../schema.sql', import.meta.url), 'utf8'));

const made = [];
for (const note of ['tea', 'coffee', 'water', 'milk', 'juice']) {
  const { rows: [row] } = await client.query(
    'INSERT INTO flakeid_example.drinks (note) VALUES ($1) RETURNING *', [note]);
  console.log(`inserted ${row.id} ${row.ref} ${row.note}`);
  made.push(row);
}
assert.equal(typeof made[0].id, 'string');
const { rows: guests } = await client.query(
  `INSERT INTO flakeid_example.guests (name) VALUES ($1), ($2) RETURNING *`,
  ['Ada', 'Grace']);
for (const guest of guests) console.log(`guest ${guest.id} ${guest.name}`);

// By id, which was sent as JSON and read back: text, never a number
const { id } = JSON.parse(JSON.stringify({ id: made[1].id }));
const found = await client.query(
  'SELECT * FROM flakeid_example.drinks WHERE id = $1', [id]);
console.log(`found ${id}: ${found.rows[0].note}`);
assert.deepEqual(found.rows, [made[1]]);

// By time: from is inclusive, to is exclusive
const hour = 60 * 60 * 1000;
const range = [new Date(Date.now() - hour), new Date(Date.now() + hour)];
const drinks = await client.query(
  `SELECT * FROM flakeid_example.drinks
   WHERE fluid_in_range(id, $1, $2) ORDER BY id`, range);
const met = await client.query(
  `SELECT * FROM flakeid_example.guests
   WHERE uuid_v7_in_range(id, $1, $2) ORDER BY id`, range);
console.log(`range: ${drinks.rows.length} drinks, ${met.rows.length} guests`);
assert.deepEqual(drinks.rows, made);
assert.deepEqual(met.rows, guests);

// Pages of two, newest first.  The first page is a statement of its own: with
// "$1 IS NULL OR id < $1", a generic plan reads all newer rows.
const notes = [];
let { rows } = await client.query(
  'SELECT id, note FROM flakeid_example.drinks ORDER BY id DESC LIMIT 2');
while (rows.length > 0) {
  const page = rows.map((row) => row.note);
  console.log(`page: ${page.join(', ')}`);
  notes.push(...page);
  ({ rows } = await client.query(
    `SELECT id, note FROM flakeid_example.drinks
     WHERE id < $1 ORDER BY id DESC LIMIT 2`, [rows.at(-1).id]));
}
assert.deepEqual(notes, ['juice', 'milk', 'water', 'coffee', 'tea']);
await client.end();
