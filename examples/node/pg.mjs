// Node's pg: a bigint arrives as a string, and a string is accepted for one.
import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import pg from 'pg';

const client = new pg.Client(); // PGHOST, PGDATABASE, ... say where
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

// By id, which went out and came back as JSON: text, never a number
const { id } = JSON.parse(JSON.stringify({ id: made[1].id }));
const found = await client.query(
  'SELECT * FROM flakeid_example.drinks WHERE id = $1', [id]);
console.log(`found ${id}: ${found.rows[0].note}`);
assert.deepEqual(found.rows, [made[1]]);

// From the newest on, two per page
const notes = [];
let before = null;
for (;;) {
  const { rows } = await client.query(
    `SELECT id, note FROM flakeid_example.drinks
     WHERE $1::bigint IS NULL OR id < $1
     ORDER BY id DESC LIMIT 2`, [before]);
  if (rows.length === 0) break;
  const page = rows.map((row) => row.note);
  console.log(`page: ${page.join(', ')}`);
  notes.push(...page);
  before = rows.at(-1).id;
}
assert.deepEqual(notes, ['juice', 'milk', 'water', 'coffee', 'tea']);
await client.end();
