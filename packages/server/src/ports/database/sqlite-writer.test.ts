import { TABLES } from '../../schema.ts';
import { StoredForms } from './stored-forms.ts';
import { afterEach, beforeEach, expect, spyOn, test } from 'bun:test';
import { writeMigratedSqlite } from '@hearth/testing/servers/migrated-sqlite';
import { tempFolder } from '@hearth/testing/temp-folder';
import { join } from 'node:path';
import { openSqlite, type SqliteFile } from '../../runtime/sqlite.ts';
import type { Transaction } from './database.ts';
import { sqliteKysely } from './sqlite-kysely.ts';
import { SqliteWriter } from './sqlite-writer.ts';
import { sqliteDatabase } from '../../engines/databases.ts';

let resources: AsyncDisposableStack;
let writer: SqliteWriter;
let other: SqliteFile;
/** The statements that begin and end transactions, and what else a test records. */
let events: string[];
/** Statements that fail the next time, each once. */
let failing: Set<string>;
/** Runs after each commit. */
let onCommit: () => void;

beforeEach(async () => {
  resources = new AsyncDisposableStack();
  const folder = resources.use(await tempFolder());
  const path = join(folder.path, 'hearth.sqlite');
  await writeMigratedSqlite(path);
  const open = () => resources.adopt(openSqlite(path), (opened) => opened.close());
  const file = open();
  file.exec('pragma foreign_keys = on');
  events = [];
  failing = new Set();
  onCommit = () => {};
  const watched: SqliteFile = {
    ...file,
    get isInTransaction() {
      return file.isInTransaction;
    },
    change(sql, values) {
      if (/^(begin|commit|rollback)/.test(sql)) events.push(sql);
      if (failing.delete(sql)) throw new Error(`${sql} failed`);
      return file.change(sql, values);
    },
  };
  const parts = { kysely: sqliteKysely(), forms: new StoredForms(TABLES) };
  writer = new SqliteWriter({ file: watched, ...parts, onCommit: () => onCommit() });
  other = open();
});

afterEach(() => resources.disposeAsync());

const insert = (name: string) => async (tx: Transaction) => {
  await tx.sql.insertInto('settings').values({ name, value: '' }).execute();
  return name;
};

/** The names of committed settings, as another connection sees them. */
function committed(): readonly string[] {
  const rows = other.prepare('select name from settings order by name').all([]);
  return rows.map((row) => String(Object.values(row ?? {})[0]));
}

const NAMES = Array.from({ length: 20 }, (_, i) => `row ${10 + i}`);

/** Lets so much time pass for the writer each time it looks, however busy the machine is. */
function passTime(stepMs: number): void {
  let nowMs = performance.now();
  const spy = spyOn(performance, 'now').mockImplementation(() => (nowMs += stepMs));
  resources.defer(() => spy.mockRestore());
}

test('waiting transactions share one commit, and resolve after it in the order of the calls', async () => {
  passTime(0);
  const running = NAMES.map(async (name) => {
    events.push(`${await writer.transaction(insert(name))} of ${committed().length}`);
  });
  await Promise.all(running);
  const resolved = NAMES.map((name) => `${name} of 20`);
  expect(events).toEqual(['begin immediate', 'commit', ...resolved]);
});

test('a transaction that fails does not affect the others that share its commit', async () => {
  passTime(0);
  const outcomes = await Promise.allSettled(
    NAMES.map((name, i) =>
      writer.transaction(async (tx) => {
        await insert(name)(tx);
        if (i % 3 === 1) throw new Error('changed my mind');
        if (i % 3 === 2) await insert(name)(tx);
      }),
    ),
  );
  const isDone = (i: number) => outcomes[i]?.status === 'fulfilled';
  expect(NAMES.map((_, i) => isDone(i))).toEqual(NAMES.map((_, i) => i % 3 === 0));
  expect(committed()).toEqual(NAMES.filter((_, i) => i % 3 === 0));
  expect(events.filter((event) => event === 'commit')).toHaveLength(1);
});

test('work that waits 250 ms for something else is rolled back, and can change nothing afterwards', async () => {
  const late = Promise.withResolvers<void>();
  const tried = Promise.withResolvers<string>();
  const slow = writer.transaction(async (tx) => {
    await insert('slow')(tx);
    await late.promise;
    await insert('too late')(tx).catch((error: unknown) => tried.resolve(String(error)));
  });
  const next = writer.transaction(insert('next'));
  await expect(slow).rejects.toThrow('took more than 250 ms');
  expect(await next).toBe('next');
  late.resolve();
  expect(await tried.promise).toContain('the transaction is over');
  expect(committed()).toEqual(['next']);
});

test('transactions run again if SQLite ends the one that they share, except the one that caused it', async () => {
  const failure = new Error('database or disk is full');
  const outcomes = await Promise.allSettled([
    writer.transaction(insert('first')),
    writer.transaction(async (tx) => {
      await insert('second')(tx);
      // As SQLite does by itself if the disk is full.
      await tx.run({ text: 'rollback', values: [] });
      throw failure;
    }),
    writer.transaction(insert('third')),
  ]);
  expect(outcomes).toEqual([
    { status: 'fulfilled', value: 'first' },
    { status: 'rejected', reason: failure },
    { status: 'fulfilled', value: 'third' },
  ]);
  expect(committed()).toEqual(['first', 'third']);
});

test('transactions whose commit fails are all rejected, and the next ones work', async () => {
  const outcomes = await Promise.allSettled([
    writer.transaction(insert('first')),
    writer.transaction(async (tx) => {
      // The missing content is noticed at the commit only.
      await tx.run({ text: 'pragma defer_foreign_keys = on', values: [] });
      await tx.run({
        text: `insert into uploads (id, bucket, blob_key, name, spoiler, uploaded_at_ms)
          values ('1', '', 'none', '', 0, 0)`,
        values: [],
      });
    }),
  ]);
  expect(outcomes.map(({ status }) => status)).toEqual(['rejected', 'rejected']);
  expect(await writer.transaction(insert('next'))).toBe('next');
  expect(committed()).toEqual(['next']);
});

for (const statements of [
  ['commit', 'rollback'],
  ['rollback to work', 'rollback'],
  ['savepoint work'],
  ['release work'],
]) {
  test(`transactions work again after a failure of “${statements.join('” and “')}”`, async () => {
    failing = new Set(statements);
    const undone = async (tx: Transaction) => {
      await insert('undone')(tx);
      throw new Error('changed my mind');
    };
    const work = [insert('first'), undone, insert('third')];
    const outcomes = await Promise.allSettled(work.map((each) => writer.transaction(each)));
    expect([...failing]).toEqual([]);
    expect(await writer.transaction(insert('next'))).toBe('next');
    const done = outcomes.flatMap((outcome) =>
      outcome.status === 'fulfilled' ? [outcome.value] : [],
    );
    expect(committed()).toEqual([...done, 'next'].toSorted());
  });
}

test('a failure after the commit neither rejects its transactions nor keeps the next ones waiting', async () => {
  onCommit = () => {
    onCommit = () => {};
    throw new Error('a faulty listener');
  };
  expect(
    await Promise.all(['first', 'second'].map((name) => writer.transaction(insert(name)))),
  ).toEqual(['first', 'second']);
  expect(await writer.transaction(insert('next'))).toBe('next');
  expect(committed()).toEqual(['first', 'next', 'second']);
});

test.each([
  ['while others may join the commit', 0],
  ['later', 60],
])(
  'a database that is closed %s rejects running, waiting and later transactions',
  async (_, stepMs) => {
    await using folder = await tempFolder();
    const database = await sqliteDatabase(join(folder.path, 'closed.sqlite'));
    passTime(stepMs);
    const [begun, closed] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
    const running = database.transaction(async (tx) => {
      await insert('running')(tx);
      begun.resolve();
      await closed.promise;
    });
    const waiting = database.transaction(insert('waiting'));
    await begun.promise;
    await database[Symbol.asyncDispose]();
    closed.resolve();
    const outcomes = await Promise.allSettled([running, waiting]);
    expect(outcomes.map(({ status }) => status)).toEqual(['rejected', 'rejected']);
    await expect(database.transaction(insert('late'))).rejects.toThrow('closed');
  },
);

test('a process that writes all the time does not starve timers and other connections', async () => {
  let isOver = false;
  const busy = async () => {
    for (let i = 0; !isOver; i += 1) await writer.transaction(insert(`busy ${i} ${Math.random()}`));
  };
  const running = [busy(), busy()];
  await new Promise((resolve) => setTimeout(resolve, 1));
  const isIn = () => {
    try {
      other.exec('begin immediate');
      other.exec("insert into settings values ('other', '')");
      other.exec('commit');
      return true;
    } catch {
      return false;
    }
  };
  while (!isIn()) await new Promise((resolve) => setTimeout(resolve, 1));
  isOver = true;
  await Promise.all(running);
  expect(committed()).toContain('other');
});
