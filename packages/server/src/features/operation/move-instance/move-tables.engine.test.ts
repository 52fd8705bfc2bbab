import { describe, expect, test } from 'bun:test';
import { embeddedData, fill } from '@hearth/testing/ports/moved-data';
import { onEachDatabase } from '@hearth/testing/servers/each-database';
import { sql } from 'kysely';
import type { Database, Reader } from '../../../ports/database/database.ts';
import { MIGRATIONS, TABLES } from '../../../schema.ts';
import type { Migrations } from '../../../ports/database/table-data.ts';
import { moveInstance } from './move-instance.ts';
import type { TableList } from '../../../ports/database/table-data.ts';
import { movedTables } from './moved-tables.ts';

/**
 * Tables of a feature that does not exist: votes, found by three columns, and what they are cast in, named after it. The names of their
 * texts are those of other tables, because the engines refuse texts for names that they do not know.
 */
const tables: TableList = {
  // Before what it refers to.
  a_votes: {
    columns: { name: 'text', voter: 'number', value: 'text', reason: 'text', weight: 'number' },
    key: ['name', 'voter', 'value'],
    refersTo: ['ballots', 'a_votes'],
    rowsAtOnce: 7,
  },
  ...TABLES,
  ballots: { columns: { name: 'text' }, key: ['name'] },
  tallies: {
    columns: { name: 'text' },
    key: ['name'],
    refersTo: ['ballots'],
    notMoved: 'counted',
  },
};

const migrations: Migrations = {
  ...MIGRATIONS,
  '900-ballots': {
    async up(db) {
      await sql`create table ballots (name text primary key)`.execute(db);
      await sql`create table tallies (name text primary key references ballots (name))`.execute(db);
      await sql`create table a_votes (
        name text not null references ballots (name), voter bigint not null, value text not null,
        reason text, weight integer not null, primary key (name, voter, value))`.execute(db);
    },
  },
};

async function run(database: Database, statement: ReturnType<typeof sql>): Promise<void> {
  await database.transaction((tx) => statement.execute(tx.sql));
}

async function vote(database: Database, ballot: string, voter: number): Promise<void> {
  const reason = voter % 3 === 0 ? null : `because of ${voter}`;
  await run(
    database,
    sql`insert into ballots (name) values (${ballot}) on conflict (name) do nothing`,
  );
  for (const option of ['B', 'a', 'ä']) {
    await run(
      database,
      sql`insert into a_votes (name, voter, value, reason, weight) values (${ballot}, ${voter}, ${option}, ${reason}, ${voter % 5})`,
    );
  }
}

async function votesIn(reader: Reader): Promise<readonly string[]> {
  const { rows } = await sql<Readonly<Record<string, unknown>>>`
    select name, voter, value, reason, weight from a_votes`.execute(reader);
  return rows.map((row) => JSON.stringify(row)).toSorted();
}

/** The settings are moved last. Of the others, the instance creates the rows again. */
const NOT_MOVED: readonly string[] = [
  'settings',
  'changes',
  'ban_requests',
  'search_queue',
  'search_state',
  'search_blocks',
  'search_entries',
  'search_words',
  'stored_bytes',
  'user_bytes',
  'post_orders',
  'post_period_lists',
  'tallies',
  'page_files',
];

test('[OP33][MO14] tables are moved after those that they refer to, and some are not moved', () => {
  const names = movedTables(tables).map(({ name }) => name);
  expect(names.indexOf('ballots')).toBeLessThan(names.indexOf('a_votes'));
  expect(names.indexOf('contents')).toBeLessThan(names.indexOf('uploads'));
  expect(names.toSorted()).toEqual(
    Object.keys(tables)
      .filter((name) => !NOT_MOVED.includes(name))
      .toSorted(),
  );
  const circle: TableList = {
    a: { columns: {}, key: [], refersTo: ['b'] },
    b: { columns: {}, key: [], refersTo: ['a'] },
  };
  expect(() => movedTables(circle)).toThrow('in a circle');
});

describe('[OP33][OP35][OP36] a table with a key of several columns', () => {
  onEachDatabase((open) => {
    test('the table is moved, even if the move is killed at any point and continues after changes', async () => {
      await using source = await embeddedData(undefined, migrations);
      await using target = await open();
      await fill(source, { contents: 2, uploads: 2, statics: 2, groups: 2 });
      for (let voter = 1; voter <= 11; voter += 1) {
        await vote(source.database, voter % 2 === 0 ? 'even' : 'Odd', voter * 2 ** 40);
      }
      await run(source.database, sql`insert into tallies (name) values ('even')`);
      const { reader } = source.database;
      const attempt = async (left: number) => {
        const transaction: Database['transaction'] = async (work) => {
          left -= 1;
          if (left < 0) throw new Error('killed');
          return target.transaction(work);
        };
        const database = { ...target, transaction };
        await moveInstance(
          { source: { reader, blobs: source.blobs }, target: { database, blobs: undefined } },
          {
            signal: new AbortController().signal,
            onProgress: () => {},
            onMoved: () => {},
            tables,
          },
        );
      };
      for (const left of [1, 3, 5, 8, 12]) {
        await attempt(left).catch((error: unknown) => expect(String(error)).toContain('killed'));
        await run(source.database, sql`delete from a_votes where voter = ${left * 2 ** 40}`);
        await run(source.database, sql`update a_votes set weight = weight + 1 where value = 'a'`);
        await vote(source.database, 'Odd', 100 + left);
      }
      await attempt(Number.MAX_SAFE_INTEGER);
      const votes = await votesIn(source.database.reader);
      expect(votes.length).toBeGreaterThan(20);
      expect(await votesIn(target.reader)).toEqual(votes);
      const tallies = await sql`select * from tallies`.execute(target.reader);
      expect(tallies.rows).toEqual([]);
    });
  }, migrations);
});
