import { describe, expect, test } from 'bun:test';
import { chmod, mkdir, readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { openingProcess } from '@hearth/testing/ports/open-unprivileged';
import { contentPath, readContent } from '@hearth/testing/ports/stored-content';
import { tempFolder } from '@hearth/testing/temp-folder';
import { blobsContract } from './blobs.contract.ts';
import type { BlobWriter } from './blobs.ts';
import { diskBlobs } from './disk.ts';

const create = async () => {
  const folder = await tempFolder();
  const files = async () => {
    const entries = await readdir(folder.path, { recursive: true, withFileTypes: true });
    return entries.filter((entry) => entry.isFile()).map((entry) => entry.name);
  };
  const open = () => diskBlobs(folder.path);
  const overwrite = async (key: string, text: string) => {
    await using blobs = await open();
    await writeFile(contentPath(blobs, key), text);
  };
  return { ...folder, open, list: files, overwrite };
};

blobsContract('disk', create);

test.each(['.', 'incoming'])('a folder is refused if its %s is read-only', async (below) => {
  await using folder = await tempFolder();
  await (await diskBlobs(folder.path))[Symbol.asyncDispose]();
  for (const [path, mode] of [
    ['.', 0o777],
    ['incoming', 0o777],
    [below, 0o555],
  ] as const) {
    await chmod(join(folder.path, path), mode);
  }
  await using opening = openingProcess('blobs', folder.path);
  expect(await opening.says()).toContain('EACCES');
});

const key = crypto.randomUUID();

test.each<[what: string, names: readonly string[]]>([
  ['files of the operating system', ['.DS_Store', 'Thumbs.db', '.nfs0000000000a1b2c3']],
  ['files of the owner', ['notes.txt', 'notes.txt.intent', 'lost+found']],
  [
    'names that would be paths elsewhere as keys',
    ['.intent', '..intent', '...intent', '...', 'xy.intent'],
  ],
  [
    'names that are almost a key',
    [key.toUpperCase(), `${key}.intent.intent`, `${key}.bak`, `x${key}`],
  ],
])('recovery does not touch %s', async (_what, names) => {
  await using folder = await tempFolder();
  await using blobs = await diskBlobs(join(folder.path, 'blobs'));
  const incoming = join(folder.path, 'blobs', 'incoming');
  for (const name of names) await writeFile(join(incoming, name), 'not of Hearth');
  const before = (await readdir(folder.path, { recursive: true })).toSorted();
  const asked: string[] = [];
  await blobs.recover((askedFor) => {
    asked.push(askedFor);
    return Promise.resolve(false);
  });
  expect(asked).toEqual([]);
  expect((await readdir(folder.path, { recursive: true })).toSorted()).toEqual(before);
});

test('recovery does not touch folders of any name, and cleans up the files beside them', async () => {
  await using folder = await tempFolder();
  await using blobs = await diskBlobs(folder.path);
  const incoming = join(folder.path, 'incoming');
  const folders = ['backup', key, `${crypto.randomUUID()}.intent`];
  for (const name of folders) await mkdir(join(incoming, name));
  const writer = await blobs.create();
  await writer.write(Buffer.from('left behind'));
  await writer.seal();
  await blobs.recover(() => Promise.resolve(false));
  expect((await readdir(incoming)).toSorted()).toEqual(folders.toSorted());
});

describe('contents so large that they are synced while they are written', () => {
  const PIECE_BYTES = 65_536;
  const piece = crypto.getRandomValues(new Uint8Array(PIECE_BYTES));
  const whole = Buffer.concat(Array.from({ length: 640 }, () => piece));

  async function write(writer: BlobWriter): Promise<void> {
    for (let at = 0; at < whole.length; at += PIECE_BYTES) {
      await writer.write(whole.subarray(at, at + PIECE_BYTES));
    }
  }

  test('two large contents that are written at the same time are both sealed completely', async () => {
    await using store = await create();
    await using blobs = await store.open();
    const writers = [await blobs.create(), await blobs.create()];
    await Promise.all(writers.map(write));
    await Promise.all(writers.map((writer) => writer.seal()));
    for (const { path } of writers) expect((await readFile(path)).equals(whole)).toBe(true);
  });

  test('a content that is discarded during a sync leaves nothing, and another continues', async () => {
    await using store = await create();
    await using blobs = await store.open();
    const [given, kept] = [await blobs.create(), await blobs.create()];
    await Promise.all([write(given).then(() => given.discard()), write(kept)]);
    await kept.seal();
    await kept.release();
    expect(await store.list()).toEqual([kept.key]);
    expect((await readContent(blobs, kept.key)).equals(whole)).toBe(true);
  });
});
