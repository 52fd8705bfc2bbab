import { expect, test } from 'bun:test';
import { sql } from 'kysely';
import { readdir, rm, truncate, writeFile } from 'node:fs/promises';
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
  sha256,
  MOVED,
  type EmbeddedData,
} from '@hearth/testing/ports/moved-data';
import { TABLES } from '../../../schema.ts';
import { dataFolder } from '../../../data-folder.ts';
import { StartError } from '../../../lib/start-error.ts';
import { acceptMove } from './accept-move.ts';
import { moveInstance } from './move-instance.ts';
import type { MoveEnds, MoveProgress, MoveReport, MoveWatch } from './move.ts';
import { selectNote, sumSizes } from './store.ts';

const SIZE = { contents: 70, uploads: 150, statics: 13, groups: 40 };

function move(ends: MoveEnds, watch: Partial<MoveWatch> = {}): Promise<MoveReport> {
  const signal = new AbortController().signal;
  return moveInstance(ends, {
    tables: TABLES,
    signal,
    onProgress: () => {},
    onMoved: () => {},
    ...watch,
  });
}

async function expectMoved(source: EmbeddedData, target: EmbeddedData): Promise<void> {
  expect(await rowsOf(target.database)).toEqual(await rowsOf(source.database));
  expect(await hashesOf(target)).toEqual(await hashesOf(source));
}

/** A path of a content in the folder of `data`. */
function pathOf({ path }: EmbeddedData, key: string): string {
  return join(dataFolder(path).blobs, key.slice(0, 2), key);
}

test('[OP33] everything is at the target: all rows, and all bytes under the same keys', async () => {
  await using source = await embeddedData();
  await using target = await embeddedData();
  await fill(source, SIZE);
  const before = { rows: await rowsOf(source.database), hashes: await hashesOf(source) };
  const report = await move(endsOf(source, target));
  await expectMoved(source, target);
  expect(await readdir(join(dataFolder(target.path).blobs, 'incoming'))).toEqual([]);
  expect({ rows: await rowsOf(source.database), hashes: await hashesOf(source) }).toEqual(before);
  expect(report).toMatchObject({ instanceId: '145000000', contents: { copied: 70, faults: [] } });
  expect(report.contents?.copiedBytes).toBe(await sumSizes(source.database.reader));
  const rows = Object.fromEntries(report.tables.map(({ table, rows }) => [table, rows]));
  expect(Object.keys(rows)).toEqual(MOVED);
  expect(rows).toMatchObject({
    contents: 70,
    discarded_blobs: 1,
    uploads: before.rows['uploads']?.length ?? -1,
    statics: 13,
    message_groups: 40,
    subjects: 14,
    outbox: 15,
    restrictions: 1,
    bans: 1,
  });
});

test('[OP34] without a target store the contents stay in the data directory', async () => {
  await using source = await embeddedData();
  await using target = await embeddedData();
  await fill(source, SIZE);
  const report = await move({
    ...endsOf(source, target),
    target: { database: target.database, blobs: undefined },
  });
  expect(await rowsOf(target.database)).toEqual(await rowsOf(source.database));
  expect(await hashesOf(target)).toEqual({});
  expect(report.contents).toBeUndefined();
  // More can be moved later.
  expect(await move(endsOf(source, target))).toMatchObject({ contents: { copied: 70 } });
  await expectMoved(source, target);
});

test('[OP35] a move that has already ended finds everything at the target', async () => {
  await using source = await embeddedData();
  await using target = await embeddedData();
  await fill(source, SIZE);
  await move(endsOf(source, target));
  const report = await move(endsOf(source, target));
  expect(report.contents).toEqual({ copied: 0, copiedBytes: 0, copiedBefore: 70, faults: [] });
  for (const { rows, rowsBefore, rowsRemoved } of report.tables) {
    expect([rowsBefore, rowsRemoved]).toEqual([rows, 0]);
  }
});

test('[OP36] a move that continues ends with what the source contains by then', async () => {
  await using source = await embeddedData();
  await using target = await embeddedData();
  await fill(source, SIZE);
  await move(endsOf(source, target));
  const [again = '', gone = ''] = Object.keys(await hashesOf(source));
  await source.database.transaction(async ({ sql: writer }) => {
    // Uploaded once more, under its own key: there is one content at a time with the same bytes.
    for (const key of [again, gone]) {
      await writer.deleteFrom('uploads').where('blob_key', '=', key).execute();
      await writer.deleteFrom('statics').where('blob_key', '=', key).execute();
    }
    const { rows } = await sql<{ sha256: string; size_bytes: number }>`
      delete from contents where blob_key in (${again}, ${gone}) returning sha256, size_bytes`.execute(
      writer,
    );
    expect(rows).toHaveLength(2);
    await writer
      .updateTable('message_groups')
      .set({ messages: '[null,null]' })
      .where('last_number', '=', 7)
      .execute();
    await writer.deleteFrom('message_groups').where('last_number', '<', 3).execute();
    await writer
      .updateTable('settings')
      .set({ value: '1' })
      .where('name', '=', 'id_mark')
      .execute();
  });
  const bytes = await Bun.file(pathOf(source, again)).bytes();
  for (const key of [again, gone]) await rm(pathOf(source, key));
  const key = await addContent(source);
  await source.database.transaction(({ sql: writer }) =>
    writer
      .updateTable('contents')
      .set({
        sha256: sha256(bytes),
        size_bytes: bytes.length,
      })
      .where('blob_key', '=', key)
      .execute(),
  );
  await writeFile(pathOf(source, key), bytes);
  await addStaticFile(source, 'a0', key);
  await addUpload(source, key);
  await addGroup(source, 1_000);
  const report = await move(endsOf(source, target));
  await expectMoved(source, target);
  expect(report.tables.find(({ table }) => table === 'message_groups')).toMatchObject({
    rowsRemoved: 4,
  });
  expect(report.contents).toMatchObject({ copied: 1, copiedBefore: 68 });
});

test('[OP37] a content that is missing or damaged is reported with its files, and everything else is moved', async () => {
  await using source = await embeddedData();
  await using target = await embeddedData();
  await fill(source, { contents: 3, uploads: 0, statics: 0, groups: 1 });
  const [missing = '', short = '', changed = ''] = Object.keys(await hashesOf(source));
  const upload = await addUpload(source, missing);
  await addStaticFile(source, 'logo.svg', changed);
  await rm(pathOf(source, missing));
  await truncate(pathOf(source, short), 3);
  const bytes = await Bun.file(pathOf(source, changed)).bytes();
  await writeFile(
    pathOf(source, changed),
    bytes.map((byte) => byte ^ 1),
  );
  const progress: MoveProgress[] = [];
  const report = await move(endsOf(source, target), { onProgress: (at) => progress.push(at) });
  const faults = report.contents?.faults.toSorted((a, b) => a.problem.localeCompare(b.problem));
  expect(faults).toEqual([
    {
      blobKey: short,
      problem: expect.stringMatching(/^it has 3 bytes, not \d+$/),
      uploads: [],
      statics: [],
    },
    {
      blobKey: missing,
      problem: 'it is missing',
      uploads: [{ id: upload, name: expect.any(String) }],
      statics: [],
    },
    { blobKey: changed, problem: 'its bytes have changed', uploads: [], statics: ['logo.svg'] },
  ]);
  expect(await rowsOf(target.database)).toEqual(await rowsOf(source.database));
  expect(await hashesOf(target)).toEqual({});
  const last = progress.findLast(({ table }) => table === 'contents');
  expect(last?.bytes?.done).toBe(last?.bytes?.total ?? -1);
  // Once repaired, they are moved by another attempt.
  await writeFile(pathOf(source, changed), bytes);
  expect((await move(endsOf(source, target))).contents).toMatchObject({ copied: 1 });
  expect(Object.keys(await hashesOf(target))).toEqual([changed]);
});

test('[OP38] a target with anything else in it is refused', async () => {
  await using source = await embeddedData();
  await using target = await embeddedData();
  await fill(source, { contents: 1, uploads: 1, statics: 1, groups: 1 });
  await addGroup(target, 1);
  const before = await rowsOf(target.database);
  await expect(move(endsOf(source, target))).rejects.toThrow('--to: this database is in use');
  expect(await rowsOf(target.database)).toEqual(before);
});

test('[OP38] a target with the move of another instance is refused', async () => {
  await using source = await embeddedData();
  await using other = await embeddedData();
  await using target = await embeddedData();
  await fill(source, { contents: 1, uploads: 1, statics: 1, groups: 1 });
  await other.database.transaction(({ sql: writer }) =>
    writer.insertInto('settings').values({ name: 'instance_id', value: '7' }).execute(),
  );
  await move(endsOf(other, target));
  await expect(move(endsOf(source, target))).rejects.toThrow('--to: instance 7 was moved to');
});

test('[OP38] a target on which the instance has started since is refused', async () => {
  await using source = await embeddedData();
  await using target = await embeddedData();
  await fill(source, SIZE);
  await move(endsOf(source, target));
  await acceptMove(target.database);
  await acceptMove(target.database);
  expect(await selectNote(target.database.reader)).toBeUndefined();
  await expectMoved(source, target);
  await expect(move(endsOf(source, target))).rejects.toThrow('--to: this database is in use');
  await expectMoved(source, target);
});

test('[OP38] a target that files were copied to does not end with only the records', async () => {
  await using source = await embeddedData();
  await using target = await embeddedData();
  await fill(source, { contents: 1, uploads: 1, statics: 1, groups: 1 });
  await move(endsOf(source, target));
  const ends = endsOf(source, target);
  const withoutBlobs = { ...ends, target: { ...ends.target, blobs: undefined } };
  await expect(move(withoutBlobs)).rejects.toThrow('--blobs: expected again');
});

test('[OP39] no instance starts on a database whose move is unfinished', async () => {
  await using source = await embeddedData();
  await using target = await embeddedData();
  await fill(source, SIZE);
  const stop = new AbortController();
  const moving = move(endsOf(source, target), {
    signal: stop.signal,
    onMoved: () => stop.abort(new Error('stopped')),
  });
  await expect(moving).rejects.toThrow('stopped');
  await expect(acceptMove(target.database)).rejects.toThrow(StartError);
  await expect(acceptMove(target.database)).rejects.toThrow('run hearth migrate again');
  await move(endsOf(source, target));
  await acceptMove(target.database);
  await expectMoved(source, target);
});

test('data on which no instance has run are not moved', async () => {
  await using source = await embeddedData();
  await using target = await embeddedData();
  await addContent(source);
  await expect(move(endsOf(source, target))).rejects.toThrow('DATA_DIR: no instance has run there');
  expect(await selectNote(target.database.reader)).toBeUndefined();
});
