import { describe, expect, test } from 'bun:test';
import { readFile } from 'node:fs/promises';
import {
  isContentThere,
  readContent,
  readContentText,
  streamContent,
} from '@hearth/testing/ports/stored-content';
import type { CreateStore } from '@hearth/testing/ports/test-store';
import { recoveryContract } from './blobs-recovery.contract.ts';
import type { Blobs, BlobWriter } from './blobs.ts';

const bytes = (text: string) => new TextEncoder().encode(text);

/** Proves what every engine of the blobs promises. */
export function blobsContract(name: string, create: CreateStore, { skip = false } = {}): void {
  describe.skipIf(skip)(`the ${name} blobs`, () => {
    writingContract(create);
    sealingContract(create);
    replacingContract(create);
    discardingContract(create);
    removalContract(create);
    recoveryContract(create);
  });
}

/** Writes a content and keeps it; returns its key. */
async function keep(blobs: Blobs, text: string): Promise<string> {
  const writer = await blobs.create();
  await writer.write(bytes(text));
  await writer.seal();
  await writer.release();
  return writer.key;
}

async function rejects(promise: Promise<unknown>): Promise<boolean> {
  return promise.then(
    () => false,
    () => true,
  );
}

function writingContract(create: CreateStore): void {
  test('a content is readable on this machine while it is written and after it is sealed', async () => {
    await using store = await create();
    await using blobs = await store.open();
    const writer = await blobs.create();
    expect(await readFile(writer.path, 'utf8')).toBe('');
    await writer.write(bytes('one '));
    expect(await readFile(writer.path, 'utf8')).toBe('one ');
    await writer.write(bytes('two'));
    await writer.seal();
    expect(await readFile(writer.path, 'utf8')).toBe('one two');
  });

  test('a chunk may be a view of a larger buffer, and the buffer may be reused after the write', async () => {
    await using store = await create();
    await using blobs = await store.open();
    const writer = await blobs.create();
    const memory = bytes('<<first>>');
    await writer.write(memory.subarray(2, 7));
    memory.set(bytes('<<again>>'));
    await writer.write(memory.subarray(2, 7));
    await writer.write(memory.subarray(0, 0));
    memory.fill(0);
    await writer.seal();
    expect(await readFile(writer.path, 'utf8')).toBe('firstagain');
  });

  test('a content of several megabytes in chunks of all sizes is read back byte for byte', async () => {
    await using store = await create();
    await using blobs = await store.open();
    const whole = crypto.getRandomValues(new Uint8Array(65_536));
    const writer = await blobs.create();
    const sizes = [1, 65_536, 3, 4_096, 60_000, 65_535];
    const parts = sizes.map((size) => whole.subarray(0, size));
    for (const part of parts) await writer.write(part);
    await writer.write(new Uint8Array(2_000_000).fill(7));
    await writer.seal();
    const expected = Buffer.concat([...parts, new Uint8Array(2_000_000).fill(7)]);
    expect((await readContent(blobs, writer.key)).equals(expected)).toBe(true);
  });

  test('nothing can be written to a sealed or discarded content', async () => {
    await using store = await create();
    await using blobs = await store.open();
    const writer = await blobs.create();
    await writer.seal();
    expect(await rejects(writer.write(bytes('late')))).toBe(true);
    expect(await rejects(writer.seal())).toBe(true);
    expect(await rejects(writer.write(bytes('late')))).toBe(true);
    expect(await readContentText(blobs, writer.key)).toBe('');
    const discarded = await blobs.create();
    await discarded.discard();
    expect(await rejects(discarded.write(bytes('late')))).toBe(true);
  });

  test('every content has its own key, even if many are started at once', async () => {
    await using store = await create();
    await using blobs = await store.open();
    const writers = await Promise.all(Array.from({ length: 50 }, () => blobs.create()));
    expect(new Set(writers.map((writer) => writer.key)).size).toBe(50);
    await Promise.all(writers.map((writer) => writer.discard()));
    expect(await store.list()).toEqual([]);
  });
}

function sealingContract(create: CreateStore): void {
  test('a sealed content is found under its key after the store is opened again', async () => {
    await using store = await create();
    const keys: string[] = [];
    {
      await using blobs = await store.open();
      for (const text of ['one', '', 'three']) keys.push(await keep(blobs, text));
    }
    await using blobs = await store.open();
    const texts = await Promise.all(keys.map((key) => readContentText(blobs, key)));
    expect(texts).toEqual(['one', '', 'three']);
    expect(await store.list()).toHaveLength(3);
  });

  test('a content is found under its key after it is sealed, and not before', async () => {
    await using store = await create();
    await using blobs = await store.open();
    const writer = await blobs.create();
    expect(await isContentThere(blobs, writer.key)).toBe(false);
    await writer.write(bytes('secret'));
    expect(await isContentThere(blobs, writer.key)).toBe(false);
    await writer.seal();
    expect(await readContentText(blobs, writer.key)).toBe('secret');
  });
}

const stages: [when: string, reach: (writer: BlobWriter) => Promise<void>][] = [
  ['just created', async () => {}],
  ['written', (writer) => writer.write(bytes('some bytes'))],
  ['sealed', (writer) => writer.seal()],
];

function replacingContract(create: CreateStore): void {
  test('a content can replace one that was damaged, and its writer leaves nothing else', async () => {
    await using store = await create();
    await using blobs = await store.open();
    const lost = await keep(blobs, 'content');
    await store.overwrite(lost, 'damaged');
    const writer = await blobs.create();
    await writer.write(bytes('content'));
    await writer.seal();
    await writer.restore(lost, async () => true);
    await writer.discard();
    expect(await readContentText(blobs, lost)).toBe('content');
    await blobs.recover((key) => Promise.resolve(key === lost));
    expect(await readContentText(blobs, lost)).toBe('content');
    await blobs.remove(lost);
    expect(await blobs.isEmpty()).toBe(true);
  });

  test('a content of another store keeps its key and overwrites what a killed process left of it', async () => {
    await using store = await create();
    await using blobs = await store.open();
    const key = crypto.randomUUID();
    for (const text of ['left behind, and longer', 'content']) {
      const writer = await blobs.create(key);
      expect(writer.key).toBe(key);
      await writer.write(bytes(text));
      await writer.seal();
      if (text === 'content') await writer.release();
    }
    expect(await readContentText(blobs, key)).toBe('content');
    expect(await store.list()).toHaveLength(1);
  });
}

function discardingContract(create: CreateStore): void {
  for (const [index, [when]] of stages.entries()) {
    test(`nothing is left of a content that is discarded after it is ${when}`, async () => {
      await using store = await create();
      await using blobs = await store.open();
      const other = await keep(blobs, 'of somebody else');
      const writer = await blobs.create();
      for (const [, reach] of stages.slice(0, index + 1)) await reach(writer);
      await writer.discard();
      expect(await store.list()).toHaveLength(1);
      await writer.discard();
      expect(await readContentText(blobs, other)).toBe('of somebody else');
      expect(await isContentThere(blobs, writer.key)).toBe(false);
    });
  }

  test('discarding a released content does nothing', async () => {
    await using store = await create();
    await using blobs = await store.open();
    const writer = await blobs.create();
    for (const [, reach] of stages) await reach(writer);
    await writer.release();
    await writer.discard();
    expect(await readContentText(blobs, writer.key)).toBe('some bytes');
  });
}

function removalContract(create: CreateStore): void {
  test('a removed content is gone, and others stay', async () => {
    await using store = await create();
    await using blobs = await store.open();
    const [gone, staying] = [await keep(blobs, 'gone'), await keep(blobs, 'staying')];
    await blobs.remove(gone);
    expect(await isContentThere(blobs, gone)).toBe(false);
    expect(await readContentText(blobs, staying)).toBe('staying');
    expect(await store.list()).toHaveLength(1);
  });

  test('a store is empty until a content is sealed, and again after the last one is removed', async () => {
    await using store = await create();
    await using blobs = await store.open();
    expect(await blobs.isEmpty()).toBe(true);
    const writer = await blobs.create();
    expect(await blobs.isEmpty()).toBe(true);
    await writer.seal();
    expect(await blobs.isEmpty()).toBe(false);
    const other = await keep(blobs, 'other');
    await blobs.remove(writer.key);
    expect(await blobs.isEmpty()).toBe(false);
    await blobs.remove(other);
    expect(await blobs.isEmpty()).toBe(true);
  });

  test('removing a missing content is not an error', async () => {
    await using store = await create();
    await using blobs = await store.open();
    const key = await keep(blobs, 'once');
    await Promise.all([blobs.remove(key), blobs.remove(key)]);
    await blobs.remove(key);
    await blobs.remove(crypto.randomUUID());
    expect(await store.list()).toEqual([]);
  });

  test('a reader that has a content open can read to the end after it is removed', async () => {
    await using store = await create();
    await using blobs = await store.open();
    const key = await keep(blobs, 'to the very end');
    const pieces: Uint8Array[] = [];
    for await (const piece of streamContent(blobs, key)) {
      if (pieces.length === 0) await blobs.remove(key);
      pieces.push(piece);
    }
    expect(Buffer.concat(pieces).toString()).toBe('to the very end');
  });
}
