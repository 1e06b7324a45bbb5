// Drizzle: mode 'bigint' maps a bigint to a BigInt, since a FLUID is above 2^53.
import assert from 'node:assert/strict';
import { fileURLToPath } from 'node:url';
import { asc, desc, eq, lt, sql } from 'drizzle-orm';
import { drizzle } from 'drizzle-orm/node-postgres';
import { migrate } from 'drizzle-orm/node-postgres/migrator';
import { bigint, pgSchema, text, uuid } from 'drizzle-orm/pg-core';
import pg from 'pg';

const schema = pgSchema('flakeid_example');
const drinks = schema.table('drinks', {
  id: bigint({ mode: 'bigint' }).primaryKey().default(sql`fluid_generate()`),
  ref: uuid().notNull().unique().default(sql`uuid_generate_v7()`),
  note: text().notNull(),
});
const guests = schema.table('guests', {
  id: uuid().primaryKey().default(sql`uuid_generate_v7()`),
  name: text().notNull(),
});

const client = new pg.Client(); // connects by PGHOST, PGDATABASE, ...
await client.connect();
const db = drizzle(client);
await db.execute(sql`DROP TABLE IF EXISTS flakeid_example.drinks,
  flakeid_example.guests, flakeid_example.__drizzle_migrations`);
await migrate(db, {
  migrationsFolder: fileURLToPath(new URL('drizzle', import.meta.url)),
  migrationsSchema: 'flakeid_example',
});

const made = [];
for (const note of ['tea', 'coffee', 'water', 'milk', 'juice']) {
  const [row] = await db.insert(drinks).values({ note }).returning();
  console.log(`inserted ${row.id} ${row.ref} ${row.note}`);
  made.push(row);
}
assert.equal(typeof made[0].id, 'bigint');
const came = await db.insert(guests)
  .values([{ name: 'Ada' }, { name: 'Grace' }]).returning();
for (const guest of came) console.log(`guest ${guest.id} ${guest.name}`);

// By id, which was sent as JSON and read back: text, never a number
const { id } = JSON.parse(JSON.stringify({ id: String(made[1].id) }));
const found = await db.select().from(drinks).where(eq(drinks.id, BigInt(id)));
console.log(`found ${id}: ${found[0].note}`);
assert.deepEqual(found, [made[1]]);

// By time: from is inclusive, to is exclusive
const hour = 60 * 60 * 1000;
const from = new Date(Date.now() - hour);
const to = new Date(Date.now() + hour);
const drunk = await db.select().from(drinks)
  .where(sql`fluid_in_range(${drinks.id}, ${from}, ${to})`)
  .orderBy(asc(drinks.id));
const met = await db.select().from(guests)
  .where(sql`uuid_v7_in_range(${guests.id}, ${from}, ${to})`)
  .orderBy(asc(guests.id));
console.log(`range: ${drunk.length} drinks, ${met.length} guests`);
assert.deepEqual(drunk, made);
assert.deepEqual(met, came);

// Pages of two, newest first
const notes = [];
let before;
for (;;) {
  const rows = await db.select().from(drinks)
    .where(before === undefined ? undefined : lt(drinks.id, before))
    .orderBy(desc(drinks.id)).limit(2);
  if (rows.length === 0) break;
  const page = rows.map((row) => row.note);
  console.log(`page: ${page.join(', ')}`);
  notes.push(...page);
  before = rows[rows.length - 1].id;
}
assert.deepEqual(notes, ['juice', 'milk', 'water', 'coffee', 'tea']);
await client.end();
