// Drizzle: bigint with mode 'bigint', since a FLUID is above 2^53.
import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { desc, eq, lt, sql } from 'drizzle-orm';
import { drizzle } from 'drizzle-orm/node-postgres';
import { bigint, pgTable, text, uuid } from 'drizzle-orm/pg-core';
import pg from 'pg';

const orders = pgTable('orders', {
  id: bigint({ mode: 'bigint' }).primaryKey().default(sql`fluid_generate()`),
  ref: uuid().notNull().unique().default(sql`uuid_generate_v7()`),
  note: text().notNull(),
});

const client = new pg.Client(); // PGHOST, PGDATABASE, ... say where
await client.connect();
await client.query('DROP TABLE IF EXISTS orders');
await client.query(
  await readFile(new URL('../schema.sql', import.meta.url), 'utf8'));
const db = drizzle(client);

const made = [];
for (const note of ['tea', 'coffee', 'water', 'milk', 'juice']) {
  made.push(...await db.insert(orders).values({ note }).returning());
}
assert.equal(typeof made[0].id, 'bigint');

// By id, which went out and came back as JSON: text, never a number
const { id } = JSON.parse(JSON.stringify({ id: String(made[1].id) }));
assert.deepEqual(
  await db.select().from(orders).where(eq(orders.id, BigInt(id))), [made[1]]);

// From the newest on, two a page
const notes = [];
let before;
for (;;) {
  const page = await db.select().from(orders)
    .where(before === undefined ? undefined : lt(orders.id, before))
    .orderBy(desc(orders.id)).limit(2);
  if (page.length === 0) break;
  notes.push(...page.map((order) => order.note));
  before = page.at(-1).id;
}
assert.deepEqual(notes, ['juice', 'milk', 'water', 'coffee', 'tea']);
await client.end();
