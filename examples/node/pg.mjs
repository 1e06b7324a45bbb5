// Node's pg: a bigint arrives as a string, and a string is taken for one.
import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import pg from 'pg';

const client = new pg.Client(); // PGHOST, PGDATABASE, ... say where
await client.connect();
await client.query('DROP TABLE IF EXISTS orders');
await client.query(
  await readFile(new URL('../schema.sql', import.meta.url), 'utf8'));

const made = [];
for (const note of ['tea', 'coffee', 'water', 'milk', 'juice']) {
  const { rows } = await client.query(
    'INSERT INTO orders (note) VALUES ($1) RETURNING id, ref', [note]);
  made.push({ ...rows[0], note });
}
assert.equal(typeof made[0].id, 'string');

// By id, which went out and came back as JSON: text, never a number
const { id } = JSON.parse(JSON.stringify({ id: made[1].id }));
const found = await client.query('SELECT * FROM orders WHERE id = $1', [id]);
assert.deepEqual(found.rows, [made[1]]);

// From the newest on, two a page
const notes = [];
let before = null;
for (;;) {
  const { rows } = await client.query(
    `SELECT id, note FROM orders WHERE $1::bigint IS NULL OR id < $1
     ORDER BY id DESC LIMIT 2`, [before]);
  if (rows.length === 0) break;
  notes.push(...rows.map((row) => row.note));
  before = rows.at(-1).id;
}
assert.deepEqual(notes, ['juice', 'milk', 'water', 'coffee', 'tea']);
await client.end();
