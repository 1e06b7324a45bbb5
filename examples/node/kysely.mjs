// Kysely: pg returns a bigint as a string, so the key is a string here too.
import assert from 'node:assert/strict';
import { Kysely, Migrator, PostgresDialect, sql } from 'kysely';
import pg from 'pg';

/**
 * A Generated column is optional in an INSERT.
 * @typedef {import('kysely').Generated<string>} GeneratedId
 * @typedef {object} Database
 * @property {{ id: GeneratedId, ref: GeneratedId, note: string }} drinks
 * @property {{ id: GeneratedId, name: string }} guests
 */

// Connects by PGHOST, PGDATABASE, ...
/** @type {Kysely<Database>} */
const connected = new Kysely({
  dialect: new PostgresDialect({ pool: new pg.Pool() }),
});
const db = connected.withSchema('flakeid_example');
await sql`CREATE SCHEMA IF NOT EXISTS flakeid_example`.execute(db);
for (const table of ['drinks', 'guests', 'kysely_migration', 'kysely_migration_lock'])
  await db.schema.dropTable(table).ifExists().execute();

// In a project each migration is a file; a test database gets them too.
/** @type {Record<string, import('kysely').Migration>} */
const migrations = {
  '1_first': {
    async up(db) {
      await sql`CREATE EXTENSION IF NOT EXISTS flakeid`.execute(db);
      await db.schema.createTable('drinks')
        .addColumn('id', 'bigint', (id) =>
          id.primaryKey().defaultTo(sql`fluid_generate()`))
        .addColumn('ref', 'uuid', (ref) =>
          ref.notNull().unique().defaultTo(sql`uuid_generate_v7()`))
        .addColumn('note', 'text', (note) => note.notNull())
        .execute();
      await db.schema.createTable('guests')
        .addColumn('id', 'uuid', (id) =>
          id.primaryKey().defaultTo(sql`uuid_generate_v7()`))
        .addColumn('name', 'text', (name) => name.notNull())
        .execute();
    },
  },
};
const { error } = await new Migrator({
  db, provider: { getMigrations: async () => migrations },
  migrationTableSchema: 'flakeid_example',
}).migrateToLatest();
assert.equal(error, undefined);

const made = [];
for (const note of ['tea', 'coffee', 'water', 'milk', 'juice']) {
  const row = await db.insertInto('drinks').values({ note })
    .returningAll().executeTakeFirstOrThrow();
  console.log(`inserted ${row.id} ${row.ref} ${row.note}`);
  made.push(row);
}
assert.equal(typeof made[0].id, 'string');
const guests = await db.insertInto('guests')
  .values([{ name: 'Ada' }, { name: 'Grace' }]).returningAll().execute();
for (const guest of guests) console.log(`guest ${guest.id} ${guest.name}`);

// By id, which was sent as JSON and read back: text, never a number
const { id } = JSON.parse(JSON.stringify({ id: made[1].id }));
const found = await db.selectFrom('drinks').selectAll().where('id', '=', id)
  .execute();
console.log(`found ${id}: ${found[0].note}`);
assert.deepEqual(found, [made[1]]);

// By time: from is inclusive, to is exclusive
const hour = 60 * 60 * 1000;
const from = new Date(Date.now() - hour);
const to = new Date(Date.now() + hour);
/** @type {(name: string) => import('kysely').RawBuilder<boolean>} */
const within = (name) => sql`${sql.raw(name)}(id, ${from}, ${to})`;
const drinks = await db.selectFrom('drinks').selectAll()
  .where(within('fluid_in_range')).orderBy('id').execute();
const met = await db.selectFrom('guests').selectAll()
  .where(within('uuid_v7_in_range')).orderBy('id').execute();
console.log(`range: ${drinks.length} drinks, ${met.length} guests`);
assert.deepEqual(drinks, made);
assert.deepEqual(met, guests);

// Pages of two, newest first
const notes = [];
const newest = db.selectFrom('drinks').selectAll().orderBy('id', 'desc').limit(2);
let page = await newest.execute();
while (page.length > 0) {
  const names = page.map((row) => row.note);
  console.log(`page: ${names.join(', ')}`);
  notes.push(...names);
  page = await newest.where('id', '<', page[page.length - 1].id).execute();
}
assert.deepEqual(notes, ['juice', 'milk', 'water', 'coffee', 'tea']);
await db.destroy();
