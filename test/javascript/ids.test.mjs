// 64-bit ids of every format with the real client: results are text, and so
// are parameters. page.mjs beside this file runs the code of the page.
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import pg from 'pg';

const client = new pg.Client();

const forms = [
  // generator, id to text, text to id
  ['fluid_generate()', 'fluid_to_f58(id)', 'fluid_from_f58($1)'],
  ['fluid_generate()', "fluid_to_text(id, 'f58plain')", 'fluid_from_f58($1)'],
  ['fluid_generate()', "fluid_to_text(id, 'hex')", "fluid_from_text($1, 'hex')"],
  ['fluid_generate()', "fluid_to_text(id, 'dothex')", "fluid_from_text($1, 'dothex')"],
  ['fluid_generate()', "fluid_to_text(id, 'words')", "fluid_from_text($1, 'words')"],
  ['fluid_generate()', "fluid_to_text(id, 'emoji')", "fluid_from_text($1, 'emoji')"],
  ['fluid_generate()', "fluid_to_text(id, 'dec')", "fluid_from_text($1, 'dec')"],
  ['fluid_generate()', 'id', '$1::bigint'],
  ['nanoflake_generate()', 'nanoflake_to_text(id, 36)', 'nanoflake_from_text($1, 36)'],
  ['ulidflake_generate()', 'ulidflake_to_text(id)', 'ulidflake_from_text($1)'],
];

before(async () => {
  await client.connect();
  await client.query('CREATE TEMP TABLE made (id bigint PRIMARY KEY, n serial)');
});
after(() => client.end());

for (const [generate, write, read] of forms) {
  test(`${generate} as text by ${write}, read by ${read}`, async () => {
    const { rows: [made] } = await client.query(
      `INSERT INTO made VALUES (${generate}) RETURNING ${write} AS id, n`);
    assert.equal(typeof made.id, 'string');

    const { id } = JSON.parse(JSON.stringify({ id: made.id }));
    const { rows } = await client.query(
      `SELECT n FROM made WHERE id = ${read}`, [id]);
    assert.deepEqual(rows, [{ n: made.n }]);
  });
}

for (const generate of ['fluid_generate()', 'nanoflake_generate()', 'ulidflake_generate()']) {
  test(`${generate} is above 2^53, and not every id survives as a number`, async () => {
    const { rows } = await client.query(
      `SELECT ${generate} AS id FROM generate_series(1, 100)`);
    const rounded = rows.filter(({ id }) => String(BigInt(Number(id))) !== id);
    for (const { id } of rows)
      assert.ok(BigInt(id) > 2n ** 53n);
    assert.ok(rounded.length > 0);
  });
}

test('the time at which ids exceed 2^53', async () => {
  const { rows: [passed] } = await client.query(`SELECT
    fluid_min('2024-01-07 05:07:50.912+00') AS fluid,
    nanoflake_min('2024-01-25 20:31:23.648+00') AS nanoflake,
    ulidflake_min('2024-04-09 10:05:34.592+00') AS ulidflake`);
  for (const id of Object.values(passed))
    assert.equal(id, String(2n ** 53n));
});

test('text that is not a FLUID is an error', async () => {
  for (const [id, code] of [['', '22P02'], ['[object Object]', '22P02'],
    ['9.007199254740993e+15', '22P02'], ['undefined', '22P02'], ['fjpXCZedGfVR', '22003']])
    for (const read of ['text', 'f58'])
      await assert.rejects(client.query(`SELECT fluid_from_${read}($1)`, [id]), { code });
});

test('the digits of a rounded id are an error', async () => {
  for (const format of ['fluid', 'nanoflake', 'ulidflake']) {
    const { rows: [{ id }] } = await client.query(`SELECT ${format}_generate() AS id`);
    const read = { fluid: 'fluid_from_f58($1)', nanoflake: 'nanoflake_from_text($1, 36)',
      ulidflake: 'ulidflake_from_text($1)' }[format];
    await assert.rejects(client.query(`SELECT ${read}`, [String(Number(id))]), { code: /22P02|22003/ });
  }
});

test('ULIDs with a prefix, by the functions of the page for TypeIDs', async () => {
  for (const name of ['uuid_to_typeid', 'uuid_from_typeid']) {
    const { rows: [{ body }] } = await client.query(
      'SELECT pg_get_functiondef($1::regproc) AS body', [name]);
    await client.query(body.replaceAll('typeid', 'ulid')
      .replace('lower(', '(').replace('a-hjkmnp-tv-z', 'A-HJKMNP-TV-Z'));
  }
  const { rows: [{ id, ulid }] } = await client.query(
    `SELECT id, uuid_to_ulid('user', id) AS ulid FROM uuid_generate_v7() AS id`);
  assert.match(ulid, /^user_0[0-9A-Z]{25}$/);
  for (const [text, expected] of [[ulid, id], [ulid.toLowerCase(), null],
    [ulid.slice(5), null]]) {
    const { rows } = await client.query(
      "SELECT uuid_from_ulid('user', $1) AS id", [text]);
    assert.deepEqual(rows, [{ id: expected }]);
  }
});
