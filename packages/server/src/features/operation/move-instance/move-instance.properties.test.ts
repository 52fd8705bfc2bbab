import { NO_ID } from '../../../ports/database/stored-id.ts';
import { expect, setDefaultTimeout, test } from 'bun:test';
import fc from 'fast-check';
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import {
  addContent,
  addGroup,
  addStaticFile,
  addUpload,
  hashesOf,
  embeddedData,
  endsOf,
  fill,
  rowsOf,
  type EmbeddedData,
} from '@hearth/testing/ports/moved-data';
import { runs } from '@hearth/testing/runs';
import { TABLES } from '../../../schema.ts';
import { dataFolder } from '../../../data-folder.ts';
import type { BlobWriter } from '../../../ports/blobs/blobs.ts';
import { moveInstance } from './move-instance.ts';
import type { MoveEnds } from './move.ts';

setDefaultTimeout(runs(120_000));

const CHANGES = [
  'upload',
  'remove upload',
  'static',
  'post',
  'erase',
  'outdate',
  'id mark',
] as const;

/** An attempt that ends at the nth call to the target, and what the instance does after it. */
interface Attempt {
  readonly endsAt: number;
  /** True if the last call still takes effect. */
  readonly isDone: boolean;
  /** Once they were, they are in every later attempt too. */
  readonly copiesContents: boolean;
  readonly changes: readonly (typeof CHANGES)[number][];
}

const attempt: fc.Arbitrary<Attempt> = fc.record({
  endsAt: fc.nat({ max: 60 }),
  isDone: fc.boolean(),
  copiesContents: fc.boolean(),
  changes: fc.array(fc.constantFrom(...CHANGES), { maxLength: 6 }),
});

/** A process that is killed at its nth call: nothing that it tries from then on happens. */
class Mortal {
  #left: number;
  readonly #isLastDone: boolean;
  readonly #writers: BlobWriter[] = [];

  constructor({ endsAt, isDone }: Attempt) {
    this.#left = endsAt;
    this.#isLastDone = isDone;
  }

  async act<Result>(action: () => Promise<Result>): Promise<Result> {
    this.#left -= 1;
    if (this.#left > 0) return action();
    if (this.#left === 0 && this.#isLastDone) await action();
    throw new Error('killed');
  }

  target({ database, blobs }: EmbeddedData): MoveEnds['target'] {
    return {
      database: {
        ...database,
        transaction: (work) => this.act(() => database.transaction(work)),
      },
      blobs: {
        ...blobs,
        create: (key) => this.act(async () => this.writer(await blobs.create(key))),
        remove: (key) => this.act(() => blobs.remove(key)),
      },
    };
  }

  /** Closes what the kernel would close. */
  async bury(): Promise<void> {
    for (const writer of this.#writers) await writer.seal().catch(() => {});
  }

  writer(writer: BlobWriter): BlobWriter {
    this.#writers.push(writer);
    return {
      key: writer.key,
      path: writer.path,
      write: (chunk) => this.act(() => writer.write(chunk)),
      seal: () => this.act(() => writer.seal()),
      restore: (as, isRecorded) => this.act(() => writer.restore(as, isRecorded)),
      release: () => this.act(() => writer.release()),
      discard: () => this.act(() => writer.discard()),
    };
  }
}

test('[OP35,OP36] whenever a move is killed, and whatever changes afterwards, the next one that ends has moved everything', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(attempt, { minLength: 1, maxLength: 5 }), async (attempts) => {
      await using source = await embeddedData();
      await using target = await embeddedData();
      await fill(source, { contents: 9, uploads: 12, statics: 4, groups: 20 });
      let copiesContents = false;
      for (const each of attempts) {
        copiesContents ||= each.copiesContents;
        await attemptMove(source, target, { ...each, copiesContents });
        for (const change of each.changes) await CHANGE[change](source);
      }
      await move(endsOf(source, target));
      expect(await rowsOf(target.database)).toEqual(await rowsOf(source.database));
      // As at the start of an instance.
      const reader = target.database.reader;
      await target.blobs.recover(async (key) => {
        const row = await reader
          .selectFrom('contents')
          .select('blob_key')
          .where('blob_key', '=', key)
          .executeTakeFirst();
        return row !== undefined;
      });
      expect(await hashesOf(target)).toEqual(await hashesOf(source));
    }),
    { numRuns: runs(12) },
  );
});

async function attemptMove(
  source: EmbeddedData,
  target: EmbeddedData,
  each: Attempt,
): Promise<void> {
  const mortal = new Mortal(each);
  const { database, blobs } = mortal.target(target);
  try {
    const given = { database, blobs: each.copiesContents ? blobs : undefined };
    await move({ ...endsOf(source, target), target: given });
  } catch (error) {
    if (!(error instanceof Error) || error.message !== 'killed') throw error;
  } finally {
    await mortal.bury();
  }
}

function move(ends: MoveEnds) {
  const { signal } = new AbortController();
  return moveInstance(ends, { tables: TABLES, signal, onProgress: () => {}, onMoved: () => {} });
}

let posted = 1_000;

/** Changes that an instance makes, described in rows. */
const CHANGE: Readonly<Record<(typeof CHANGES)[number], (data: EmbeddedData) => Promise<unknown>>> =
  {
    upload: async (data) => addUpload(data, await addContent(data)),
    'remove upload': async ({ path, database }) => {
      const [key = ''] = await someKey(database);
      await database.transaction(async ({ sql: writer }) => {
        await writer.deleteFrom('uploads').where('blob_key', '=', key).execute();
        await writer.deleteFrom('statics').where('blob_key', '=', key).execute();
        for (const column of ['source_key', 'blob_key'] as const) {
          await writer.deleteFrom('media_variants').where(column, '=', key).execute();
        }
        await writer.deleteFrom('contents').where('blob_key', '=', key).execute();
      });
      await rm(join(dataFolder(path).blobs, key.slice(0, 2), key), { force: true });
    },
    static: async (data) => addStaticFile(data, 'a0', await addContent(data)),
    post: (data) => addGroup(data, (posted += 1)),
    erase: async ({ database }) =>
      database.transaction(async ({ sql: writer }) => {
        const rows = await writer.selectFrom('message_groups').select('first_id').execute();
        const { first_id: id = NO_ID } = rows[Math.floor(Math.random() * rows.length)] ?? {};
        await writer
          .updateTable('message_groups')
          .set({ messages: '[null]' })
          .where('first_id', '=', id)
          .execute();
      }),
    outdate: async ({ database }) =>
      database.transaction(async ({ sql: writer }) => {
        const oldest = await writer
          .selectFrom('message_groups')
          .select('first_id')
          .orderBy('first_id')
          .limit(1)
          .executeTakeFirst();
        await writer
          .deleteFrom('message_groups')
          .where('first_id', '=', oldest?.first_id ?? NO_ID)
          .execute();
      }),
    'id mark': ({ database }) =>
      database.transaction(({ sql: writer }) =>
        writer
          .updateTable('settings')
          .set({ value: String(Math.random()) })
          .where('name', '=', 'id_mark')
          .execute(),
      ),
  };

async function someKey(database: EmbeddedData['database']): Promise<readonly string[]> {
  const reader = database.reader;
  const rows = await reader.selectFrom('contents').select('blob_key').execute();
  const row = rows[Math.floor(Math.random() * rows.length)];
  return row === undefined ? [] : [row.blob_key];
}
