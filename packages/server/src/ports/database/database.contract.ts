import { storedId } from './stored-id.ts';
import { describe, expect, test } from 'bun:test';
import { sql } from 'kysely';
import { recordChanges } from '@hearth/testing/ports/record-changes';
import { countingProcess, increment } from '@hearth/testing/ports/count-in-transactions';
import { runAll } from '@hearth/testing/so-many-at-once';
import { until } from '@hearth/testing/until';
import { jsonLogger, type Logger } from '../../log/logger.ts';
import type { Database, Reader, Statement, Transaction, Writer } from './database.ts';
import { MIGRATIONS } from '../../schema.ts';
import { recordedName } from './migration.ts';

/** A database that has no rows when a test begins, and is deleted when it ends. */
export interface TestDatabase extends AsyncDisposable {
  /** The address of the database, such as a path or a URL. */
  readonly address: string;
}

/** An engine under test. */
export interface DatabaseEngine {
  /** When a handle receives the changes that another one has committed. */
  readonly hearsOfOthers: 'at once' | 'soon';
  /** Makes one without tables. */
  createEmpty(): Promise<TestDatabase>;
  /** Makes one with the newest schema. */
  create(): Promise<TestDatabase>;
  open(address: string, log?: Logger): Promise<Database>;
}

/** A migration of a later version, as a database records it. */
const NEWER = recordedName('999-newer');

const content = {
  blob_key: 'blob-1',
  bucket: 'attachments',
  sha256: 'ab'.repeat(32),
  size_bytes: Number.MAX_SAFE_INTEGER,
  content_type: 'image/png',
  metadata: '{"type":"image","width":1,"height":2}',
  placeholder: null,
};

/** Proves what every engine of the database promises. `name` is the engine's name in count-in-transactions.ts. */
export function databaseContract(
  name: string,
  engine: DatabaseEngine,
  { skip = false } = {},
): void {
  describe.skipIf(skip)(`the ${name} database`, () => {
    migrationContract(name, engine);
    valueContract(engine);
    rollbackContract(engine);
    concurrencyContract(engine);
    readingContract(engine);
    statementContract(engine);
    changesContract(name, engine);
    processContract(name, engine);
  });
}

async function setting(db: Reader, name: string): Promise<string | undefined> {
  const query = db.selectFrom('settings').select('value').where('name', '=', name);
  return (await query.executeTakeFirst())?.value;
}

async function insertSetting(writer: Writer, name: string, value: string): Promise<void> {
  await writer.insertInto('settings').values({ name, value }).execute();
}

/** The message of the error that a promise rejects with. */
function failure(promise: Promise<unknown>): Promise<string> {
  return promise.then(
    () => 'no failure',
    (error: unknown) => (error instanceof Error ? error.message : String(error)),
  );
}

function migrationContract(name: string, engine: DatabaseEngine): void {
  const migrated = async (db: Reader) =>
    (await sql<{ name: string }>`select name from kysely_migration order by name`.execute(db)).rows;
  const all = Object.keys(MIGRATIONS).map((migration) => ({ name: recordedName(migration) }));

  test('the tables of an empty database are created, and not changed afterwards', async () => {
    await using created = await engine.createEmpty();
    const { address } = created;
    for (const round of [1, 2, 3]) {
      await using database = await engine.open(address);
      await database.transaction(({ sql: writer }) =>
        insertSetting(writer, `round ${round}`, 'here'),
      );
      expect(await setting(database.reader, 'round 1')).toBe('here');
      expect(await migrated(database.reader)).toEqual(all);
    }
  });

  test('the tables are created once if several processes open an empty database at the same time', async () => {
    await using created = await engine.createEmpty();
    const { address } = created;
    await using one = countingProcess(name, address);
    await using other = countingProcess(name, address);
    expect(await Promise.all([one.says(), other.says()])).toEqual(['ready', 'ready']);
    await using database = await engine.open(address);
    expect(await migrated(database.reader)).toEqual(all);
  });

  test.each([
    ['newer', NEWER, `it belongs to a newer version of Hearth (migration ${NEWER})`],
    [
      'later',
      '999999.001-first',
      'it belongs to a newer version of Hearth (migration 999999.001-first)',
    ],
    [
      'earlier',
      '065-sent',
      'an earlier development version of Hearth made it (migration 065-sent): start afresh',
    ],
    [
      'old',
      '0.001-first',
      'an earlier development version of Hearth made it (migration 0.001-first): start afresh',
    ],
  ])(
    'the database of a version that is %s is refused, and nothing in it is changed',
    async (...made) => {
      const [, recorded, refusal] = made;
      await using created = await engine.create();
      const { address } = created;
      await using database = await engine.open(address);
      await database.transaction(async ({ sql: writer }) => {
        await sql`delete from kysely_migration`.execute(writer);
        await sql`insert into kysely_migration (name, timestamp) values (${recorded}, '2030-01-01')`.execute(
          writer,
        );
      });
      expect(await failure(engine.open(address))).toContain(refusal);
      expect(await migrated(database.reader)).toEqual([{ name: recorded }]);
    },
  );
}

function valueContract(engine: DatabaseEngine): void {
  test('numbers are returned as numbers and texts unchanged', async () => {
    await using created = await engine.create();
    await using database = await engine.open(created.address);
    const text = 'quote \' " ; -- \\ \n\t naïve 👩‍👩‍👧 ٣';
    const stored = { ...content, content_type: text };
    await database.transaction(async ({ sql: writer }) => {
      await writer.insertInto('contents').values(stored).execute();
    });
    expect(await database.reader.selectFrom('contents').selectAll().execute()).toEqual([stored]);
  });

  test('no row is found by a text that cannot be stored', async () => {
    await using created = await engine.create();
    await using database = await engine.open(created.address);
    const reader = database.reader;
    expect([await setting(reader, 'a\0b'), await setting(reader, '\uD800')]).toEqual([
      undefined,
      undefined,
    ]);
  });

  test('a transaction returns what its work returns', async () => {
    await using created = await engine.create();
    await using database = await engine.open(created.address);
    let runs = 0;
    const work = () => Promise.resolve((runs += 1));
    expect([await database.transaction(work), runs]).toEqual([1, 1]);
  });

  test('a row that refers to a missing row is refused', async () => {
    await using created = await engine.create();
    await using database = await engine.open(created.address);
    const upload = {
      bucket: 'attachments',
      name: 'a.txt',
      spoiler: 0,
      uploaded_at_ms: 1,
      public_uses: 0,
      hidden_uses: 0,
    };
    const insert = (blobKey: string) =>
      database.transaction(async ({ sql: writer }) => {
        const id = storedId(blobKey.slice('blob-'.length));
        const row = { ...upload, id, blob_key: blobKey };
        await writer.insertInto('contents').values(content).execute();
        await writer.insertInto('uploads').values(row).execute();
      });
    expect(await failure(insert('blob-2'))).not.toBe('no failure');
    await insert('blob-1');
    const uploads = await database.reader.selectFrom('uploads').select('id').execute();
    expect(uploads).toEqual([{ id: storedId('1') }]);
  });
}

function rollbackContract(engine: DatabaseEngine): void {
  test('a transaction whose work rejects is rolled back, and rejects with the same error', async () => {
    await using created = await engine.create();
    await using database = await engine.open(created.address);
    const rejecting = database.transaction(async ({ sql: writer }) => {
      await insertSetting(writer, 'a', '1');
      await insertSetting(writer, 'b', '2');
      throw new Error('changed my mind');
    });
    expect(await failure(rejecting)).toBe('changed my mind');
    expect(await setting(database.reader, 'a')).toBeUndefined();
    await database.transaction(({ sql: writer }) => insertSetting(writer, 'a', '3'));
    expect(await setting(database.reader, 'a')).toBe('3');
  });

  test('a transaction in which a statement fails is rolled back', async () => {
    await using created = await engine.create();
    await using database = await engine.open(created.address);
    await database.transaction(({ sql: writer }) => insertSetting(writer, 'taken', '1'));
    const failing = database.transaction(async ({ sql: writer }) => {
      await insertSetting(writer, 'a', '1');
      await insertSetting(writer, 'taken', '2');
    });
    expect(await failure(failing)).not.toBe('no failure');
    expect(await setting(database.reader, 'a')).toBeUndefined();
    expect(await setting(database.reader, 'taken')).toBe('1');
  });

  test('a transaction that hides the failure of a statement is rolled back, and no further statements run in it', async () => {
    await using created = await engine.create();
    await using database = await engine.open(created.address);
    const { reader } = database;
    await database.transaction(({ sql: writer }) => insertSetting(writer, 'taken', '1'));
    const hiding = (fail: (tx: Transaction) => Promise<unknown>) =>
      database.transaction(async (tx) => {
        await insertSetting(tx.sql, 'a', '1');
        expect(await failure(fail(tx))).not.toBe('no failure');
        expect(await failure(insertSetting(tx.sql, 'b', '2'))).not.toBe('no failure');
        expect(await failure(tx.run(inserting('c', '3')))).not.toBe('no failure');
      });
    const failed = [
      (tx: Transaction) => insertSetting(tx.sql, 'taken', '2'),
      (tx: Transaction) => tx.run(inserting('taken', '2')),
    ];
    for (const fail of failed) {
      expect(await failure(hiding(fail))).toBe('an earlier statement of the transaction failed');
      expect(await reader.selectFrom('settings').select('name').execute()).toEqual([
        { name: 'taken' },
      ]);
    }
    await database.transaction(({ sql: writer }) => insertSetting(writer, 'a', '3'));
    expect(await setting(reader, 'a')).toBe('3');
    expect(await failure(sql`select 1 from nowhere`.execute(reader))).not.toBe('no failure');
    expect(await setting(reader, 'a')).toBe('3');
  });

  test('a commit is reported once, before the transaction resolves, and a rollback is not', async () => {
    await using created = await engine.create();
    await using database = await engine.open(created.address);
    const order: string[] = [];
    const onCommit = () => order.push('committed');
    const add = (name: string) => (tx: Transaction) => insertSetting(tx.sql, name, '1');
    await database.transaction(add('a'), { onCommit });
    order.push('resolved');
    expect(order).toEqual(['committed', 'resolved']);
    expect(await failure(database.transaction(add('a'), { onCommit }))).not.toBe('no failure');
    expect(order).toEqual(['committed', 'resolved']);
  });

  test('a reader sees only what is committed', async () => {
    await using created = await engine.create();
    await using database = await engine.open(created.address);
    let read: Promise<string | undefined> | undefined;
    const rejecting = database.transaction(async ({ sql: writer }) => {
      await insertSetting(writer, 'a', '1');
      read = setting(database.reader, 'a');
      expect(await setting(writer, 'a')).toBe('1');
      throw new Error('changed my mind');
    });
    expect(await failure(rejecting)).toBe('changed my mind');
    expect(await read).toBeUndefined();
  });
}

function concurrencyContract(engine: DatabaseEngine): void {
  test('no update is lost of transactions that begin at the same time', async () => {
    await using created = await engine.create();
    await using database = await engine.open(created.address);
    await runAll({ count: 30, atOnce: 10 }, () => database.transaction(increment));
    expect(await setting(database.reader, 'count')).toBe('30');
  });

  test('only the transactions that fail are rolled back if many begin at the same time', async () => {
    await using created = await engine.create();
    await using database = await engine.open(created.address);
    const outcomes = await Promise.all(
      Array.from({ length: 40 }, async (_, i) => {
        const inserting = database.transaction(async ({ sql: writer }) => {
          await insertSetting(writer, `row ${i}`, 'here');
          if (i % 4 === 1) throw new Error('changed my mind');
          if (i % 4 === 3) await insertSetting(writer, `row ${i}`, 'twice');
        });
        return (await failure(inserting)) === 'no failure';
      }),
    );
    expect(outcomes).toEqual(outcomes.map((_, i) => i % 2 === 0));
    const rows = await database.reader.selectFrom('settings').select('name').execute();
    const names = outcomes.flatMap((isDone, i) => (isDone ? [`row ${i}`] : []));
    expect(rows.map((row) => row.name).toSorted()).toEqual(names.toSorted());
  });

  test('a unique row is stored once if transactions of two handles insert it at the same time', async () => {
    await using created = await engine.create();
    await using one = await engine.open(created.address);
    await using other = await engine.open(created.address);
    const inserted = await Promise.all(
      Array.from({ length: 20 }, (_, i) =>
        (i % 2 === 0 ? one : other).transaction(async ({ sql: writer }) => {
          const { numInsertedOrUpdatedRows } = await writer
            .insertInto('settings')
            .values({ name: 'once', value: String(i) })
            .onConflict((conflict) => conflict.column('name').doNothing())
            .executeTakeFirstOrThrow();
          return numInsertedOrUpdatedRows;
        }),
      ),
    );
    expect(inserted.filter((count) => count === 1n)).toHaveLength(1);
  });

  test('transactions of two handles that lock the same rows in different orders are completed', async () => {
    await using created = await engine.create();
    await using one = await engine.open(created.address);
    await using other = await engine.open(created.address);
    await one.transaction(async ({ sql: writer }) => {
      for (const name of ['a', 'b']) await insertSetting(writer, name, '0');
    });
    const add = (database: Database, names: readonly string[]) =>
      database.transaction(async ({ sql: writer }) => {
        for (const name of names) {
          await writer
            .updateTable('settings')
            .set({ value: sql`cast(cast(value as bigint) + 1 as text)` })
            .where('name', '=', name)
            .execute();
        }
      });
    for (let round = 0; round < 5; round += 1) {
      await Promise.all([add(one, ['a', 'b']), add(other, ['b', 'a'])]);
    }
    expect([await setting(one.reader, 'a'), await setting(one.reader, 'b')]).toEqual(['10', '10']);
  });

  test('statements after the work of their transaction has ended are rejected', async () => {
    await using created = await engine.create();
    await using database = await engine.open(created.address);
    const over = await database.transaction((tx) => Promise.resolve(tx));
    const late = insertSetting(over.sql, 'late', '1');
    expect(await failure(late)).toBe('the transaction is over');
    const run = over.run({ text: 'delete from settings', values: [] });
    expect(await failure(run)).toBe('the transaction is over');
    expect(await setting(database.reader, 'late')).toBeUndefined();
  });
}

function readingContract(engine: DatabaseEngine): void {
  test('reads are answered while a transaction runs and another handle’s transaction waits for it', async () => {
    await using created = await engine.create();
    const { address } = created;
    await using database = await engine.open(address);
    await using other = await engine.open(address);
    await database.transaction(({ sql: writer }) => insertSetting(writer, 'name', 'kept'));
    const { promise: isOver, resolve: end } = Promise.withResolvers<void>();
    const { promise: hasBegun, resolve: begin } = Promise.withResolvers<void>();
    const running = other.transaction(async ({ sql: writer }) => {
      await insertSetting(writer, 'other', 'not yet');
      begin();
      await isOver;
    });
    await hasBegun;
    const waiting = database.transaction(({ sql: writer }) =>
      insertSetting(writer, 'third', 'later'),
    );
    for (const opened of [database, other]) {
      const db = opened.reader;
      expect(await setting(db, 'name')).toBe('kept');
      expect(await setting(db, 'other')).toBeUndefined();
    }
    end();
    await Promise.all([running, waiting]);
    expect(await setting(database.reader, 'other')).toBe('not yet');
  });
}

/** A statement that stores a setting. */
function inserting(name: string, value: string): Statement {
  return { text: 'insert into settings (name, value) values ($1, $2)', values: [name, value] };
}

function statementContract(engine: DatabaseEngine): void {
  test('statements run in a transaction, which returns how many rows each has changed', async () => {
    await using created = await engine.create();
    await using database = await engine.open(created.address);
    const renaming: Statement = {
      text: 'update settings set value = $1 where name in ($2, $3)',
      values: ['again', 'a', 'b'],
    };
    const changed = await database.transaction(async (tx) => [
      await tx.run(inserting('a', 'naïve 👩‍👩‍👧')),
      await tx.run(inserting('b', '')),
      await tx.run(renaming),
    ]);
    expect(changed).toEqual([1, 1, 2]);
    const { reader } = database;
    expect([await setting(reader, 'a'), await setting(reader, 'b')]).toEqual(['again', 'again']);
  });

  test('statements with results run in a transaction, which returns their rows', async () => {
    await using created = await engine.create();
    await using database = await engine.open(created.address);
    const counting: Statement = {
      text: 'update settings set value = value || $1 where name = $2 returning name, value',
      values: ['!', 'a'],
    };
    const found = await database.transaction(async (tx) => {
      const nothing = await tx.rows(counting);
      await tx.run(inserting('a', '1'));
      return [nothing, await tx.rows(counting), await tx.rows(counting)];
    });
    expect(found).toEqual([[], [{ name: 'a', value: '1!' }], [{ name: 'a', value: '1!!' }]]);
    const failing = database.transaction(async (tx) => {
      await tx.rows(counting);
      await tx.rows({ text: 'select nothing from settings where name = $1', values: ['a'] });
    });
    expect(await failure(failing)).not.toBe('no failure');
    expect(await setting(database.reader, 'a')).toBe('1!!');
  });

  test('statements about many things run, whatever their number, and return the rows of all', async () => {
    await using created = await engine.create();
    await using database = await engine.open(created.address);
    const columns = { key: 'text', amount: 'bigint' } as const;
    const name = (at: number) => `n${at} '"{,}\\ é`;
    const given = (count: number) => ({
      text: `insert into settings (name, value) select key, cast(amount as text) from given where true
        on conflict (name) do update set value = settings.value || excluded.value returning name, value`,
      columns,
      rows: Array.from({ length: count }, (_, at) => [name(at), at] as const),
    });
    for (const count of [0, 1, 2, 101]) {
      const rows = await database.transaction((tx) => tx.many(given(count)));
      expect(rows).toHaveLength(count);
    }
    const values = [0, 1, 2, 100].map((at) => setting(database.reader, name(at)));
    expect(await Promise.all(values)).toEqual(['000', '11', '2', '100']);
  });

  test('statements about many things without results run, and return how many rows they have changed', async () => {
    await using created = await engine.create();
    await using database = await engine.open(created.address);
    const adding = (count: number) => ({
      text: `insert into settings (name, value) select key, 'one' from given where true
        on conflict (name) do update set value = 'two' where settings.name like '%0'`,
      columns: { key: 'text' } as const,
      rows: Array.from({ length: count }, (_, at) => [`n${at}`]),
    });
    const changed: number[] = [];
    // Of 30 that are there, 0, 10 and 20 are changed again.
    for (const count of [0, 30, 101]) {
      changed.push(await database.transaction((tx) => tx.runMany(adding(count))));
    }
    expect(changed).toEqual([0, 30, 74]);
    const values = [20, 21, 100].map((at) => setting(database.reader, `n${at}`));
    expect(await Promise.all(values)).toEqual(['two', 'one', 'one']);
  });

  test('all statements of a transaction are rolled back if one fails, and those of the next transaction run', async () => {
    await using created = await engine.create();
    await using database = await engine.open(created.address);
    const run = (...names: readonly string[]) =>
      database.transaction(async (tx) => {
        for (const name of names) await tx.run(inserting(name, '1'));
      });
    expect(await failure(run('a', 'b', 'a'))).not.toBe('no failure');
    expect(await setting(database.reader, 'b')).toBeUndefined();
    await run('a');
    expect(await setting(database.reader, 'a')).toBe('1');
  });

  test('more different statements can run than are kept prepared', async () => {
    await using created = await engine.create();
    await using database = await engine.open(created.address);
    for (let round = 0; round < 2; round += 1) {
      for (let i = 0; i < 100; i += 1) {
        const values = [`row ${i}`, String(i)];
        const text = `insert into settings (name, value) values ($1, $2) on conflict (name) do nothing -- ${i}`;
        const changed = await database.transaction((tx) => tx.run({ text, values }));
        expect(changed).toBe(round === 0 ? 1 : 0);
      }
    }
  });
}

function changesContract(name: string, engine: DatabaseEngine): void {
  /** Waits until a handle has received `last`, and returns the changes that it has received. */
  async function heardUntil(list: () => readonly string[], last: string) {
    if (engine.hearsOfOthers === 'soon') await until(async () => list().includes(last));
    expect(list()).toContain(last);
    return [...new Set(list())];
  }

  const change = (database: Database, ...ids: readonly string[]) =>
    database.transaction(async (tx) => {
      await increment(tx);
      for (const id of ids) tx.changed('content', id);
    });

  test('the changes of this and other processes, and nothing else, are reported to every handle', async () => {
    await using created = await engine.create();
    const { address } = created;
    await using database = await engine.open(address);
    await using second = await engine.open(address);
    await using other = countingProcess(name, address);
    expect(await other.says()).toBe('ready');
    const heard = [recordChanges(database), recordChanges(second)];
    await change(database, 'a', 'b');
    await change(database);
    await change(second, 'c');
    await other.send('2');
    expect([await other.says(), await other.says()]).toEqual(['trying', 'done']);
    await other.send('1 content last');
    expect([await other.says(), await other.says()]).toEqual(['trying', 'done']);
    for (const list of heard) {
      const all = await heardUntil(list, 'content last');
      // A handle hears its own changes at once, and those of others a little later.
      expect(all.toSorted()).toEqual(['content a', 'content b', 'content c', 'content last']);
    }
    expect(database.hearChanges()).toBe(true);
  });

  test('listeners are called with a change before its transaction resolves', async () => {
    await using created = await engine.create();
    await using database = await engine.open(created.address);
    const heard: unknown[] = [];
    const stop = database.onChange((changes) => heard.push(changes));
    await database.transaction(async (tx) => {
      tx.changed('content', 'a');
      await increment(tx);
      tx.changed('content', 'a');
      expect(heard).toEqual([]);
    });
    expect(heard[0]).toEqual([{ kind: 'content', id: 'a' }]);
    stop();
    await change(database, 'b');
    expect(heard).not.toContainEqual([{ kind: 'content', id: 'b' }]);
  });

  test('a transaction is committed even if a listener throws, the error is logged, and the other listeners are called', async () => {
    await using created = await engine.create();
    const lines: string[] = [];
    const log = jsonLogger('error', (line) => lines.push(line));
    await using database = await engine.open(created.address, log);
    const stop = database.onChange(() => {
      throw new Error('a faulty listener');
    });
    const list = recordChanges(database);
    await change(database, 'a');
    expect(await heardUntil(list, 'content a')).toContain('content a');
    expect(lines.join('')).toContain('a faulty listener');
    expect(database.hearChanges()).toBe(true);
    stop();
    await change(database, 'b');
    await heardUntil(list, 'content b');
  });

  test('no change of a transaction that was rolled back is reported', async () => {
    await using created = await engine.create();
    await using database = await engine.open(created.address);
    const list = recordChanges(database);
    const undone = database.transaction(async (tx) => {
      tx.changed('content', 'undone');
      await increment(tx);
      throw new Error('changed my mind');
    });
    expect(await failure(undone)).toBe('changed my mind');
    await change(database, 'last');
    expect(await heardUntil(list, 'content last')).toEqual(['content last']);
  });

  test('reports that anything may have changed if there are too many changes', async () => {
    await using created = await engine.create();
    await using database = await engine.open(created.address);
    await using second = await engine.open(created.address);
    const list = recordChanges(second);
    const ids = Array.from({ length: 1_001 }, (_, i) => `content ${i}`);
    await change(database, ...ids);
    await heardUntil(list, 'unknown');
    await change(database, 'last');
    await heardUntil(list, 'content last');
  });
}

function processContract(name: string, engine: DatabaseEngine): void {
  test('transactions of several processes run one after another if they lock the same row', async () => {
    await using created = await engine.create();
    const { address } = created;
    await using database = await engine.open(address);
    await using other = countingProcess(name, address);
    expect(await other.says()).toBe('ready');
    await other.send('25');
    expect(await other.says()).toBe('trying');
    for (let i = 0; i < 25; i += 1) await database.transaction(increment);
    expect(await other.says()).toBe('done');
    expect(await setting(database.reader, 'count')).toBe('50');
  });

  test('a second handle sees what the first one has committed, even after the first is closed', async () => {
    await using created = await engine.create();
    const { address } = created;
    await using second = await engine.open(address);
    {
      await using first = await engine.open(address);
      await first.transaction(({ sql: writer }) => insertSetting(writer, 'a', '1'));
      expect(await setting(second.reader, 'a')).toBe('1');
      await second.transaction(({ sql: writer }) => insertSetting(writer, 'b', '2'));
      expect(await setting(first.reader, 'b')).toBe('2');
    }
    expect(await setting(second.reader, 'a')).toBe('1');
  });

  test('every commit is kept if its process is killed afterwards', async () => {
    await using created = await engine.create();
    const { address } = created;
    {
      await using killed = countingProcess(name, address);
      await killed.send('64 together');
      expect([await killed.says(), await killed.says(), await killed.says()]).toEqual([
        'ready',
        'trying',
        'done',
      ]);
      await killed.kill();
    }
    await using database = await engine.open(address);
    expect(await setting(database.reader, 'count')).toBe('64');
  });
}
