// TypeORM: a column of type bigint is a string in JavaScript.
import assert from 'node:assert/strict';
import { DataSource, EntitySchema, LessThan, Raw } from 'typeorm';

// TypeORM takes 'uuid_generate_v7()' for a default of its own, and synchronize()
// would drop and set it at each start. This adds nothing to the time:
const uuid = "uuid_generate_v7('00:00:00')";

/** @type {EntitySchema<{ id: string, ref: string, note: string }>} */
const Drink = new EntitySchema({
  name: 'Drink', tableName: 'drinks', schema: 'flakeid_example',
  columns: {
    id: { type: 'bigint', primary: true, default: () => 'fluid_generate()' },
    ref: { type: 'uuid', unique: true, default: () => uuid },
    note: { type: 'text' },
  },
});
/** @type {EntitySchema<{ id: string, name: string }>} */
const Guest = new EntitySchema({
  name: 'Guest', tableName: 'guests', schema: 'flakeid_example',
  columns: {
    id: { type: 'uuid', primary: true, default: () => uuid },
    name: { type: 'text' },
  },
});

// In a project this is the first migration, which a test database gets too.
class CreateExtension1700000000000 {
  /** @param {import('typeorm').QueryRunner} runner */
  async up(runner) {
    await runner.query('CREATE EXTENSION IF NOT EXISTS flakeid');
  }

  async down() {}
}

// Connects by PGHOST, PGDATABASE, ...
const db = await new DataSource({
  type: 'postgres', schema: 'flakeid_example', entities: [Drink, Guest],
  migrations: [CreateExtension1700000000000],
}).initialize();
await db.query('CREATE SCHEMA IF NOT EXISTS flakeid_example');
await db.query('DROP TABLE IF EXISTS flakeid_example.drinks, flakeid_example.guests');
await db.runMigrations();
await db.synchronize();
const again = await db.driver.createSchemaBuilder().log();
assert.deepEqual(again.upQueries.map(({ query }) => query), []);
const drinks = db.getRepository(Drink);
const guests = db.getRepository(Guest);

// save() reads back the id and every column with a default
const made = [];
for (const note of ['tea', 'coffee', 'water', 'milk', 'juice']) {
  const drink = await drinks.save({ note });
  console.log(`inserted ${drink.id} ${drink.ref} ${drink.note}`);
  made.push(drink);
}
assert.equal(typeof made[0].id, 'string');
const came = await guests.save([{ name: 'Ada' }, { name: 'Grace' }]);
for (const guest of came) console.log(`guest ${guest.id} ${guest.name}`);

// By id, which was sent as JSON and read back: text, never a number
const { id } = JSON.parse(JSON.stringify({ id: made[1].id }));
const found = await drinks.findBy({ id });
console.log(`found ${id}: ${found[0].note}`);
assert.deepEqual(found, [made[1]]);

// By time: from is inclusive, to is exclusive
const hour = 60 * 60 * 1000;
const range = {
  from: new Date(Date.now() - hour), to: new Date(Date.now() + hour),
};
/** @type {{ id: 'ASC' }} */
const order = { id: 'ASC' };
/** @param {string} function_ */
const within = (function_) =>
  Raw((column) => `${function_}(${column}, :from, :to)`, range);
const drunk = await drinks.find({ where: { id: within('fluid_in_range') }, order });
const met = await guests.find({ where: { id: within('uuid_v7_in_range') }, order });
console.log(`range: ${drunk.length} drinks, ${met.length} guests`);
assert.deepEqual(drunk, made);
assert.deepEqual(met, came);

// Pages of two, newest first
const notes = [];
/** @type {import('typeorm').FindManyOptions<{ id: string, note: string }>} */
const newest = { order: { id: 'DESC' }, take: 2 };
let page = await drinks.find(newest);
while (page.length > 0) {
  const names = page.map((row) => row.note);
  console.log(`page: ${names.join(', ')}`);
  notes.push(...names);
  const { id } = page[page.length - 1];
  page = await drinks.find({ ...newest, where: { id: LessThan(id) } });
}
assert.deepEqual(notes, ['juice', 'milk', 'water', 'coffee', 'tea']);
await db.destroy();
