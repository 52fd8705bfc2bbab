import { describe, expect, test } from 'bun:test';
import { sql } from 'kysely';
import {
  COUNTING,
  countingProcess,
  increment,
} from '../../../test/support/count-in-transactions.ts';
import { until } from '../../../test/support/until.ts';
import type { Database, Reader, Statement, Writer } from './database.ts';
import { migrations } from './migrations.ts';

/** A database that was empty when the test began, and is gone when it ends. */
export interface TestDatabase extends AsyncDisposable {
  /** Where it is, such as a path or a URL. */
  readonly address: string;
}

/** An engine under test. */
export interface DatabaseEngine {
  /** When a handle has heard of what another one has committed. */
  readonly hearsOfOthers: 'at once' | 'soon';
  create(): Promise<TestDatabase>;
  open(address: string): Promise<Database>;
}

const content = {
  blob_key: 'blob-1',
  bucket: 'attachments',
  sha256: 'ab'.repeat(32),
  size_bytes: Number.MAX_SAFE_INTEGER,
  content_type: 'image/png',
  metadata: '{"type":"image","width":1,"height":2}',
};

/** What every engine of the database promises. `name` is that of the engine in count-in-transactions.ts. */
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
    revisionContract(name, engine);
    quietContract(name, engine);
    statementContract(name, engine);
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

/** Writes what quiet transactions do not. */
function note(writer: Writer): Promise<void> {
  return insertSetting(writer, crypto.randomUUID(), 'noted');
}

/** The revision when the handle is to have heard of what others have committed. */
async function revisionAfter(
  { hearsOfOthers }: DatabaseEngine,
  database: Database,
  revision: number,
): Promise<number> {
  if (hearsOfOthers === 'soon') await until(async () => database.revision() !== revision);
  return database.revision();
}

/** The message of what a promise rejects with. */
function failure(promise: Promise<unknown>): Promise<string> {
  return promise.then(
    () => 'no failure',
    (error: unknown) => (error instanceof Error ? error.message : String(error)),
  );
}

function migrationContract(name: string, engine: DatabaseEngine): void {
  const migrated = async (db: Reader) =>
    (await sql<{ name: string }>`select name from kysely_migration order by name`.execute(db)).rows;
  const all = Object.keys(migrations).map((migration) => ({ name: migration }));

  test('makes the tables of an empty database, and leaves them alone ever after', async () => {
    await using created = await engine.create();
    const { address } = created;
    for (const round of [1, 2, 3]) {
      await using database = await engine.open(address);
      await database.transaction((writer) => insertSetting(writer, `round ${round}`, 'here'));
      expect(await setting(await database.reader(), 'round 1')).toBe('here');
      expect(await migrated(await database.reader())).toEqual(all);
    }
  });

  test('makes the tables once when several processes open an empty database at the same time', async () => {
    await using created = await engine.create();
    const { address } = created;
    await using one = countingProcess(name, address);
    await using other = countingProcess(name, address);
    expect(await Promise.all([one.says(), other.says()])).toEqual(['ready', 'ready']);
    await using database = await engine.open(address);
    expect(await migrated(await database.reader())).toEqual(all);
  });

  test('refuses the database of a newer Hearth and changes nothing in it', async () => {
    await using created = await engine.create();
    const { address } = created;
    const newer = '999-of-a-newer-hearth';
    await using database = await engine.open(address);
    await database.transaction((writer) =>
      sql`insert into kysely_migration (name, timestamp) values (${newer}, '2030-01-01')`.execute(
        writer,
      ),
    );
    expect(await failure(engine.open(address))).toContain(newer);
    expect(await migrated(await database.reader())).toEqual([...all, { name: newer }]);
  });
}

function valueContract(engine: DatabaseEngine): void {
  test('gives back numbers as numbers and text as it was', async () => {
    await using created = await engine.create();
    await using database = await engine.open(created.address);
    const text = 'quote \' " ; -- \\ \n\t naïve 👩‍👩‍👧 ٣';
    const stored = { ...content, content_type: text };
    await database.transaction(async (writer) => {
      await writer.insertInto('contents').values(stored).execute();
    });
    expect(await (await database.reader()).selectFrom('contents').selectAll().execute()).toEqual([
      stored,
    ]);
  });

  test('finds nothing by a text that nothing can be called', async () => {
    await using created = await engine.create();
    await using database = await engine.open(created.address);
    const reader = await database.reader();
    expect([await setting(reader, 'a\0b'), await setting(reader, '\uD800')]).toEqual([
      undefined,
      undefined,
    ]);
  });

  test('gives back what the work of a transaction returns, and runs it once', async () => {
    await using created = await engine.create();
    await using database = await engine.open(created.address);
    let runs = 0;
    const work = () => Promise.resolve((runs += 1));
    expect([await database.transaction(work), runs]).toEqual([1, 1]);
  });

  test('knows no row that refers to nothing', async () => {
    await using created = await engine.create();
    await using database = await engine.open(created.address);
    const upload = { bucket: 'attachments', name: 'a.txt', spoiler: 0, uploaded_at_ms: 1 };
    const insert = (blobKey: string) =>
      database.transaction(async (writer) => {
        const row = { ...upload, id: `of ${blobKey}`, blob_key: blobKey };
        await writer.insertInto('contents').values(content).execute();
        await writer.insertInto('uploads').values(row).execute();
      });
    expect(await failure(insert('blob-2'))).not.toBe('no failure');
    await insert('blob-1');
    const uploads = await (await database.reader()).selectFrom('uploads').select('id').execute();
    expect(uploads).toEqual([{ id: 'of blob-1' }]);
  });
}

function rollbackContract(engine: DatabaseEngine): void {
  test('undoes a transaction whose work rejects, and hands its error on', async () => {
    await using created = await engine.create();
    await using database = await engine.open(created.address);
    const rejecting = database.transaction(async (writer) => {
      await insertSetting(writer, 'a', '1');
      await insertSetting(writer, 'b', '2');
      throw new Error('changed my mind');
    });
    expect(await failure(rejecting)).toBe('changed my mind');
    expect(await setting(await database.reader(), 'a')).toBeUndefined();
    await database.transaction((writer) => insertSetting(writer, 'a', '3'));
    expect(await setting(await database.reader(), 'a')).toBe('3');
  });

  test('undoes a transaction in which a statement fails', async () => {
    await using created = await engine.create();
    await using database = await engine.open(created.address);
    await database.transaction((writer) => insertSetting(writer, 'taken', '1'));
    const failing = database.transaction(async (writer) => {
      await insertSetting(writer, 'a', '1');
      await insertSetting(writer, 'taken', '2');
    });
    expect(await failure(failing)).not.toBe('no failure');
    expect(await setting(await database.reader(), 'a')).toBeUndefined();
    expect(await setting(await database.reader(), 'taken')).toBe('1');
  });

  test('shows a reader nothing that is not committed', async () => {
    await using created = await engine.create();
    await using database = await engine.open(created.address);
    let read: Promise<string | undefined> | undefined;
    const rejecting = database.transaction(async (writer) => {
      await insertSetting(writer, 'a', '1');
      read = setting(await database.reader(), 'a');
      expect(await setting(writer, 'a')).toBe('1');
      throw new Error('changed my mind');
    });
    expect(await failure(rejecting)).toBe('changed my mind');
    expect(await read).toBeUndefined();
  });
}

function concurrencyContract(engine: DatabaseEngine): void {
  test('runs transactions that are begun at the same time one after the other', async () => {
    await using created = await engine.create();
    await using database = await engine.open(created.address);
    await Promise.all(Array.from({ length: 30 }, () => database.transaction(increment)));
    expect(await setting(await database.reader(), 'count')).toBe('30');
  });
}

function readingContract(engine: DatabaseEngine): void {
  test('gives the rows of a fixed query as they were committed', async () => {
    await using created = await engine.create();
    await using database = await engine.open(created.address);
    const rows = () =>
      database.rows("select name, value from settings where name in ('a', 'b') order by name");
    expect(await rows()).toEqual([]);
    await database.transaction(async (writer) => {
      await insertSetting(writer, 'b', '2');
      await insertSetting(writer, 'a', '1');
      expect(await rows()).toEqual([]);
    });
    expect(await rows()).toEqual([
      { name: 'a', value: '1' },
      { name: 'b', value: '2' },
    ]);
  });

  test('answers reads while a transaction runs, and while another waits for that of another process', async () => {
    await using created = await engine.create();
    const { address } = created;
    await using database = await engine.open(address);
    await using other = await engine.open(address);
    await database.transaction((writer) => insertSetting(writer, 'name', 'kept'));
    const { promise: isOver, resolve: end } = Promise.withResolvers<void>();
    const { promise: hasBegun, resolve: begin } = Promise.withResolvers<void>();
    const running = other.transaction(async (writer) => {
      await insertSetting(writer, 'other', 'not yet');
      begin();
      await isOver;
    });
    await hasBegun;
    const waiting = database.transaction((writer) => insertSetting(writer, 'third', 'later'));
    for (const opened of [database, other]) {
      const db = await opened.reader();
      expect(await setting(db, 'name')).toBe('kept');
      expect(await setting(db, 'other')).toBeUndefined();
    }
    end();
    await Promise.all([running, waiting]);
    expect(await setting(await database.reader(), 'other')).toBe('not yet');
  });
}

function revisionContract(name: string, engine: DatabaseEngine): void {
  test('has the same revision as long as nothing is committed, however often it is asked for and whatever is read', async () => {
    await using created = await engine.create();
    await using database = await engine.open(created.address);
    const revision = database.revision();
    expect(revision).toBeNumber();
    expect([database.revision(), database.revision()]).toEqual([revision, revision]);
    expect(await setting(await database.reader(), 'name')).toBeUndefined();
    expect(database.revision()).toBe(revision);
    await database.transaction((writer) => insertSetting(writer, 'name', 'kept'));
    const next = database.revision();
    expect(await setting(await database.reader(), 'name')).toBe('kept');
    expect([database.revision(), database.revision()]).toEqual([next, next]);
  });

  test('has another revision after each transaction, for what is read then, and that of before while one runs', async () => {
    await using created = await engine.create();
    await using database = await engine.open(created.address);
    const revisions = [database.revision()];
    for (let round = 1; round <= 20; round += 1) {
      await database.transaction(async (writer) => {
        await increment(writer);
        expect(database.revision()).toBe(revisions.at(-1) ?? Number.NaN);
      });
      revisions.push(database.revision());
      expect(await setting(await database.reader(), 'count')).toBe(String(round));
      expect(database.revision()).toBe(revisions.at(-1) ?? Number.NaN);
    }
    expect(new Set(revisions).size).toBe(revisions.length);
  });

  test('has another revision after transactions of a second handle, and of another process', async () => {
    await using created = await engine.create();
    const { address } = created;
    await using database = await engine.open(address);
    await using second = await engine.open(address);
    await using other = countingProcess(name, address);
    expect(await other.says()).toBe('ready');
    let revision = database.revision();
    const expectChanged = async () => {
      const next = await revisionAfter(engine, database, revision);
      expect(next).not.toBe(revision);
      revision = next;
      // Of many transactions one may hear one by one.
      if (engine.hearsOfOthers === 'at once') expect(database.revision()).toBe(revision);
    };
    for (let round = 1; round <= 3; round += 1) {
      await second.transaction(increment);
      await expectChanged();
      await other.tell('1');
      expect([await other.says(), await other.says()]).toEqual(['trying', 'done']);
      await expectChanged();
      expect(await setting(await database.reader(), 'count')).toBe(String(2 * round));
    }
    await other.tell('10');
    expect([await other.says(), await other.says()]).toEqual(['trying', 'done']);
    await expectChanged();
  });

  test('comes to rest at one revision after a transaction that was undone', async () => {
    await using created = await engine.create();
    await using database = await engine.open(created.address);
    const rejecting = database.transaction(async (writer) => {
      await insertSetting(writer, 'a', '1');
      throw new Error('changed my mind');
    });
    expect(await failure(rejecting)).toBe('changed my mind');
    const revision = database.revision();
    expect(await setting(await database.reader(), 'a')).toBeUndefined();
    expect(database.revision()).toBe(revision);
    await database.transaction((writer) => insertSetting(writer, 'a', '2'));
    expect(database.revision()).not.toBe(revision);
  });
}

/** Notes a setting, whose value may stand for a number. */
function inserting(name: string, value: string): Statement {
  return { text: 'insert into settings (name, value) values ($1, $2)', values: [name, value] };
}

function statementContract(name: string, engine: DatabaseEngine): void {
  test('runs statements in their order as one quiet transaction, and tells how many rows each changed', async () => {
    await using created = await engine.create();
    await using database = await engine.open(created.address);
    const revision = database.revision();
    const renaming: Statement = {
      text: 'update settings set value = $1 where name in ($2, $3)',
      values: ['again', 'a', 'b'],
    };
    const changed = database.quietly([inserting('a', 'naïve 👩‍👩‍👧'), inserting('b', ''), renaming]);
    expect(await changed).toEqual([1, 1, 2]);
    expect(await database.quietly([])).toEqual([]);
    expect(database.revision()).toBe(revision);
    const reader = await database.reader();
    expect([await setting(reader, 'a'), await setting(reader, 'b')]).toEqual(['again', 'again']);
  });

  test('undoes all statements where one of them fails, and runs the next ones', async () => {
    await using created = await engine.create();
    await using database = await engine.open(created.address);
    const twice = database.quietly([inserting('a', '1'), inserting('b', '1'), inserting('a', '2')]);
    expect(await failure(twice)).not.toBe('no failure');
    expect(await setting(await database.reader(), 'b')).toBeUndefined();
    expect(await database.quietly([inserting('a', '3')])).toEqual([1]);
    expect(await setting(await database.reader(), 'a')).toBe('3');
  });

  test('runs statements behind a transaction that is under way', async () => {
    await using created = await engine.create();
    await using database = await engine.open(created.address);
    const begun = Promise.withResolvers<void>();
    const end = Promise.withResolvers<void>();
    const transaction = database.quietTransaction(async (writer) => {
      await insertSetting(writer, 'a', '1');
      begun.resolve();
      await end.promise;
    });
    await begun.promise;
    const changed = database.quietly([{ text: 'update settings set value = $1', values: ['2'] }]);
    expect(await setting(await database.reader(), 'a')).toBeUndefined();
    end.resolve();
    expect(await changed).toEqual([1]);
    await transaction;
    expect(await setting(await database.reader(), 'a')).toBe('2');
  });

  test('loses no statement among transactions of this handle and of another process', async () => {
    await using created = await engine.create();
    const { address } = created;
    await using database = await engine.open(address);
    await using other = countingProcess(name, address);
    expect(await other.says()).toBe('ready');
    await database.quietly([inserting('count', '0')]);
    await other.tell('20 statements');
    expect(await other.says()).toBe('trying');
    const own = Array.from({ length: 20 }, () => [
      database.quietly([COUNTING, COUNTING]),
      database.quietTransaction(increment),
    ]);
    await Promise.all(own.flat());
    expect(await other.says()).toBe('done');
    expect(await setting(await database.reader(), 'count')).toBe('80');
  });
}

function quietContract(name: string, engine: DatabaseEngine): void {
  test('has the same revision after quiet transactions of its own, of a second handle and of another process', async () => {
    await using created = await engine.create();
    const { address } = created;
    await using database = await engine.open(address);
    await using second = await engine.open(address);
    await using other = countingProcess(name, address);
    expect(await other.says()).toBe('ready');
    await database.transaction((writer) => insertSetting(writer, 'name', 'kept'));
    let revision = database.revision();
    for (let round = 1; round <= 3; round += 1) {
      for (const opened of [database, second]) {
        await opened.quietTransaction(increment);
        expect(database.revision()).toBe(revision);
      }
      await other.tell('2 quietly');
      expect([await other.says(), await other.says()]).toEqual(['trying', 'done']);
      expect(database.revision()).toBe(revision);
      expect(await setting(await database.reader(), 'count')).toBe(String(4 * round));
      await second.transaction(note);
      const next = await revisionAfter(engine, database, revision);
      expect(next).not.toBe(revision);
      revision = next;
    }
  });

  test('has another revision after a transaction among quiet ones that came before it was asked for', async () => {
    await using created = await engine.create();
    const { address } = created;
    await using database = await engine.open(address);
    await using other = await engine.open(address);
    for (const opened of [database, other]) {
      const revision = database.revision();
      await opened.quietTransaction(increment);
      await opened.transaction(note);
      await database.quietTransaction(increment);
      expect(await revisionAfter(engine, database, revision)).not.toBe(revision);
    }
  });

  test('has no revision that it had before, also after it was opened anew', async () => {
    await using created = await engine.create();
    const { address } = created;
    const revisions: number[] = [];
    for (let round = 1; round <= 3; round += 1) {
      await using database = await engine.open(address);
      for (let more = 1; more <= 2; more += 1) {
        await database.transaction(note);
        await database.quietTransaction(increment);
        revisions.push(database.revision());
      }
    }
    expect(new Set(revisions).size).toBe(6);
  });

  test('undoes a quiet transaction whose work rejects, and hands on what it returns', async () => {
    await using created = await engine.create();
    await using database = await engine.open(created.address);
    const rejecting = database.quietTransaction(async (writer) => {
      await insertSetting(writer, 'a', '1');
      throw new Error('changed my mind');
    });
    expect(await failure(rejecting)).toBe('changed my mind');
    expect(await setting(await database.reader(), 'a')).toBeUndefined();
    let runs = 0;
    expect([await database.quietTransaction(async () => (runs += 1)), runs]).toEqual([1, 1]);
  });

  test('runs quiet transactions one after the other, also those of several processes, whatever others do', async () => {
    await using created = await engine.create();
    const { address } = created;
    await using database = await engine.open(address);
    await using other = countingProcess(name, address);
    expect(await other.says()).toBe('ready');
    await other.tell('25 quietly');
    expect(await other.says()).toBe('trying');
    await Promise.all(
      Array.from({ length: 30 }, (_, i) =>
        i % 2 === 0 ? database.transaction(note) : database.quietTransaction(increment),
      ),
    );
    expect(await other.says()).toBe('done');
    expect(await setting(await database.reader(), 'count')).toBe('40');
  });

  test('tries a quiet transaction like any other where nobody is in one', async () => {
    await using created = await engine.create();
    await using database = await engine.open(created.address);
    const rejecting = database.tryQuietTransaction(async (writer) => {
      await insertSetting(writer, 'a', '1');
      throw new Error('changed my mind');
    });
    expect(await failure(rejecting)).toBe('changed my mind');
    const revision = database.revision();
    for (let round = 1; round <= 3; round += 1) {
      expect(
        await database.tryQuietTransaction(async (writer) => {
          await increment(writer);
          return setting(writer, 'count');
        }),
      ).toBe(String(round));
    }
    expect(await setting(await database.reader(), 'a')).toBeUndefined();
    expect(database.revision()).toBe(revision);
  });

  test('excludes quiet transactions that are tried from others, also from those of another process', async () => {
    await using created = await engine.create();
    const { address } = created;
    await using database = await engine.open(address);
    await using other = countingProcess(name, address);
    expect(await other.says()).toBe('ready');
    await other.tell('25 quietly');
    expect(await other.says()).toBe('trying');
    let done = 0;
    for (let round = 1; round <= 25; round += 1) {
      done +=
        (await database.tryQuietTransaction((writer) => increment(writer).then(() => 1))) ?? 0;
    }
    expect(await other.says()).toBe('done');
    expect(await setting(await database.reader(), 'count')).toBe(String(25 + done));
  });
}

function processContract(name: string, engine: DatabaseEngine): void {
  test('keeps what one process has read true until it commits', async () => {
    await using created = await engine.create();
    const { address } = created;
    await using database = await engine.open(address);
    await using other = countingProcess(name, address);
    expect(await other.says()).toBe('ready');
    await database.transaction(async (writer) => {
      const before = await setting(writer, 'count');
      await other.tell('1');
      expect(await other.says()).toBe('trying');
      await increment(writer);
      expect([before, await setting(writer, 'count')]).toEqual([undefined, '1']);
    });
    expect(await other.says()).toBe('done');
    expect(await setting(await database.reader(), 'count')).toBe('2');
  });

  test('lets transactions of several processes exclude each other', async () => {
    await using created = await engine.create();
    const { address } = created;
    await using database = await engine.open(address);
    await using other = countingProcess(name, address);
    expect(await other.says()).toBe('ready');
    await other.tell('25');
    expect(await other.says()).toBe('trying');
    for (let i = 0; i < 25; i += 1) await database.transaction(increment);
    expect(await other.says()).toBe('done');
    expect(await setting(await database.reader(), 'count')).toBe('50');
  });

  test('lets a second handle see what a first has committed, also after that is closed', async () => {
    await using created = await engine.create();
    const { address } = created;
    await using second = await engine.open(address);
    {
      await using first = await engine.open(address);
      await first.transaction((writer) => insertSetting(writer, 'a', '1'));
      expect(await setting(await second.reader(), 'a')).toBe('1');
      await second.transaction((writer) => insertSetting(writer, 'b', '2'));
      expect(await setting(await first.reader(), 'b')).toBe('2');
    }
    expect(await setting(await second.reader(), 'a')).toBe('1');
  });

  test('keeps a commit through a kill of the process that made it', async () => {
    await using created = await engine.create();
    const { address } = created;
    {
      await using killed = countingProcess(name, address);
      await killed.tell('3');
      expect([await killed.says(), await killed.says(), await killed.says()]).toEqual([
        'ready',
        'trying',
        'done',
      ]);
      await killed.kill();
    }
    await using database = await engine.open(address);
    expect(await setting(await database.reader(), 'count')).toBe('3');
  });
}
