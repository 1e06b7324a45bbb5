// Prisma: a BigInt in the model is a BigInt in JavaScript.
import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { PrismaPg } from '@prisma/adapter-pg';
import { PrismaClient } from '@prisma/client';
import pg from 'pg';

const pool = new pg.Pool(); // connects by PGHOST, PGDATABASE, ...
await pool.query(
  'DROP TABLE IF EXISTS flakeid_example.drinks, flakeid_example.guests');
// In a project "prisma migrate" runs this file, also in a test database.
await pool.query(await readFile(new URL(
  'migrations/20260101000000_first/migration.sql', import.meta.url), 'utf8'));
const db = new PrismaClient({ adapter: new PrismaPg(pool) });

const made = [];
for (const note of ['tea', 'coffee', 'water', 'milk', 'juice']) {
  const drink = await db.drink.create({ data: { note } });
  console.log(`inserted ${drink.id} ${drink.ref} ${drink.note}`);
  made.push(drink);
}
assert.equal(typeof made[0].id, 'bigint');
const guests = await db.guest.createManyAndReturn({
  data: [{ name: 'Ada' }, { name: 'Grace' }],
});
for (const guest of guests) console.log(`guest ${guest.id} ${guest.name}`);

// By id, which was sent as JSON and read back: text, never a number
const { id } = JSON.parse(JSON.stringify({ id: String(made[1].id) }));
const found = await db.drink.findUnique({ where: { id: BigInt(id) } });
console.log(`found ${id}: ${found.note}`);
assert.deepEqual(found, made[1]);

// By time: from is inclusive, to is exclusive.  A filter cannot call a function,
// so the database computes the bounds, which are ids.  Prisma sends a Date without
// a time zone, and the server would read it in the session's; ISO text has one.
const hour = 60 * 60 * 1000;
const from = new Date(Date.now() - hour).toISOString();
const to = new Date(Date.now() + hour).toISOString();
const [bound] = await db.$queryRaw`
  SELECT fluid_min(${from}::timestamptz) AS first_drink,
    fluid_min(${to}::timestamptz) AS end_drink,
    uuid_v7_min(${from}::timestamptz) AS first_guest,
    uuid_v7_min(${to}::timestamptz) AS end_guest`;
const orderBy = { id: 'asc' };
const drinks = await db.drink.findMany({
  where: { id: { gte: bound.first_drink, lt: bound.end_drink } }, orderBy,
});
const met = await db.guest.findMany({
  where: { id: { gte: bound.first_guest, lt: bound.end_guest } }, orderBy,
});
console.log(`range: ${drinks.length} drinks, ${met.length} guests`);
assert.deepEqual(drinks, made);
assert.deepEqual(met, guests);

// Pages of two, newest first
const notes = [];
const newest = { orderBy: { id: 'desc' }, take: 2 };
let page = await db.drink.findMany(newest);
while (page.length > 0) {
  const names = page.map((row) => row.note);
  console.log(`page: ${names.join(', ')}`);
  notes.push(...names);
  page = await db.drink.findMany({
    ...newest, where: { id: { lt: page.at(-1).id } },
  });
}
assert.deepEqual(notes, ['juice', 'milk', 'water', 'coffee', 'tea']);
await db.$disconnect();
await pool.end();
