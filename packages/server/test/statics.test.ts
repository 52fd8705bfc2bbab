import { NotFoundError } from '@hearth/protocol';
import { afterAll, beforeAll, describe, expect, test } from 'bun:test';
import { OWNER } from '../src/actor.ts';
import { listStatics } from '../src/features/files/statics/list-statics.ts';
import { addStatic, removeStatic } from '../src/features/files/statics/add-static.ts';
import type { OwnerContext } from '../src/instance.ts';
import { readError } from '@hearth/testing/clients/read-error';
import { contentOf } from '@hearth/testing/instances/static-files';
import { storedFiles } from '@hearth/testing/instances/stored-files';
import { openTestContext } from '@hearth/testing/instances/test-context';
import { startTestInstance, type TestInstance } from '@hearth/testing/instances/test-instance';
import { randomBytes, upload } from '@hearth/testing/clients/upload-form';

let instance: TestInstance;
let owner: OwnerContext;
let files: string;

beforeAll(async () => {
  instance = await startTestInstance();
  owner = await openTestContext(instance);
  files = instance.addresses.files;
});

afterAll(async () => {
  await owner[Symbol.asyncDispose]();
  await instance[Symbol.asyncDispose]();
});

const add = (name: string, bytes: Uint8Array | string) =>
  addStatic(owner, OWNER, contentOf(name, bytes));
const get = (name: string, headers: Record<string, string> = {}) =>
  fetch(`${files}/static/${encodeURIComponent(name)}`, { headers });
const countContents = async () => (await storedFiles(instance.folder)).contents.length;

describe('a static file', () => {
  test('[FS5][OP11] a static file is served as soon as the owner has added it, without a restart', async () => {
    expect((await get('new.txt')).status).toBe(404);
    await add('new.txt', 'good evening');
    const answer = await get('new.txt');
    expect([answer.status, await answer.text()]).toEqual([200, 'good evening']);
    expect(answer.headers.get('content-disposition')).toBe('inline; filename=new.txt');
    const saved = await fetch(`${files}/static/new.txt/download`);
    expect(await saved.text()).toBe('good evening');
    expect(saved.headers.get('content-disposition')).toBe('attachment; filename=new.txt');
  });

  test('[FS25][FS26][OP12] that is replaced is served with the new content at once, under a new ETag', async () => {
    await add('changing.txt', 'the old one');
    const old = await get('changing.txt');
    const etag = old.headers.get('etag') ?? '';
    expect(old.headers.get('cache-control')).toBe('no-cache');
    expect((await get('changing.txt', { 'If-None-Match': etag })).status).toBe(304);

    await add('changing.txt', 'the new one');
    const changed = await get('changing.txt', { 'If-None-Match': etag });
    expect([changed.status, await changed.text()]).toEqual([200, 'the new one']);
    expect(changed.headers.get('etag')).not.toBe(etag);
    const resumed = await get('changing.txt', { 'If-Range': etag, Range: 'bytes=4-6' });
    expect([resumed.status, await resumed.text()]).toEqual([200, 'the new one']);
  });

  test('[FS18] that is replaced leaves nothing of the old content on the disk', async () => {
    const before = await countContents();
    await add('a.bin', randomBytes(1_000));
    await add('a.bin', randomBytes(2_000));
    await add('a.bin', randomBytes(3_000));
    expect(await countContents()).toBe(before + 1);
    expect((await storedFiles(instance.folder)).incoming).toEqual([]);
  });

  test('[FS18] that is replaced by the same content stays unchanged', async () => {
    const bytes = randomBytes(1_000);
    const first = await add('same.bin', bytes);
    const again = await add('same.bin', bytes);
    expect(again.blobKey).toBe(first.blobKey);
    expect(await (await get('same.bin')).bytes()).toEqual(Uint8Array.from(bytes));
  });

  test('[FS18] a static file shares its content with one of another name, until the last of them is removed', async () => {
    const before = await countContents();
    const bytes = randomBytes(1_000);
    await add('one.bin', bytes);
    await add('two.bin', bytes);
    expect(await countContents()).toBe(before + 1);
    await removeStatic(owner, OWNER, 'one.bin');
    expect((await get('one.bin')).status).toBe(404);
    expect(await (await get('two.bin')).bytes()).toEqual(Uint8Array.from(bytes));
    await removeStatic(owner, OWNER, 'two.bin');
    expect(await countContents()).toBe(before);
  });

  test('[FS18] a static file does not share its content with an attachment', async () => {
    const before = await countContents();
    const bytes = randomBytes(1_000);
    const { id } = await upload(files, bytes);
    await add('shared.bin', bytes);
    expect(await countContents()).toBe(before + 2);
    await removeStatic(owner, OWNER, 'shared.bin');
    expect(await (await fetch(`${files}/${id}`)).bytes()).toEqual(Uint8Array.from(bytes));
  });

  test('[FS5] a static file may be empty', async () => {
    await add('empty.txt', '');
    for (const headers of [{}, { Range: 'lines=1' }]) {
      const answer = await get('empty.txt', headers);
      expect([answer.status, await answer.text()]).toEqual([200, '']);
      expect(answer.headers.get('content-length')).toBe('0');
    }
    expect((await readError(await get('empty.txt', { Range: 'bytes=0-' }))).status).toBe(416);
  });

  test('[FS26][OP11] a static file can be replaced while it is being read, without an error', async () => {
    const versions = Array.from({ length: 2 }, () => randomBytes(200_000));
    const known = new Set(versions.map((version) => Bun.hash(version)));
    await add('busy.bin', versions[0] ?? '');
    let isReplacing = true;
    const readers = Array.from({ length: 4 }, async () => {
      let reads = 0;
      for (; isReplacing; reads += 1) {
        const answer = await get('busy.bin');
        expect(answer.status).toBe(200);
        expect(known.has(Bun.hash(await answer.bytes()))).toBe(true);
      }
      return reads;
    });
    for (let round = 1; round <= 60; round += 1) await add('busy.bin', versions[round % 2] ?? '');
    isReplacing = false;
    for (const reads of await Promise.all(readers)) expect(reads).toBeGreaterThan(0);
  });
});

test('[OP13] the list has every static file by name, as it was last added', async () => {
  await using other = await openTestContext();
  expect(await listStatics(other, OWNER)).toEqual([]);
  for (const name of ['b.css', 'a.txt', 'B.txt'])
    await addStatic(other, OWNER, contentOf(name, name));
  await addStatic(other, OWNER, contentOf('a.txt', 'replaced'));
  await removeStatic(other, OWNER, 'B.txt');
  const list = (await listStatics(other, OWNER)).map(({ name, sizeBytes, contentType }) => [
    ...[name, sizeBytes, contentType],
  ]);
  expect(list).toEqual([
    ['a.txt', 8, 'text/plain; charset=utf-8'],
    ['b.css', 5, 'text/css; charset=utf-8'],
  ]);
});

test('[OP13] the removal of a file that does not exist throws a NotFoundError', async () => {
  const removal = removeStatic(owner, OWNER, 'never-added.txt');
  expect(await removal.catch((error: unknown) => error)).toBeInstanceOf(NotFoundError);
});

test.each([
  ...['with blanks.txt', '100%.txt', '%2e%2e', 'a?b=c#d.txt', 'naïve 山 💾.txt', `"'quoted'".txt`],
  ...['a;b,c.txt', '.hidden', 'no-ending', 'data', 'download', '…', '%41.txt', "' or 1=1 --", '+'],
  'x'.repeat(255),
])('[FS5] a static file may have the name %j', async (name) => {
  await add(name, `this is ${name}`);
  for (const suffix of ['', '/download']) {
    const answer = await fetch(`${files}/static/${encodeURIComponent(name)}${suffix}`);
    expect([answer.status, await answer.text()]).toEqual([200, `this is ${name}`]);
  }
});

test.each(['PUT', 'POST', 'DELETE', 'PATCH'])(
  '[FS8] %s over HTTP changes no static file',
  async (method) => {
    await add('kept.txt', 'kept');
    for (const path of ['/static/kept.txt', '/static/kept.txt/download', '/static/new-one.txt']) {
      const answer = await fetch(files + path, { method, body: 'changed' });
      expect(answer.headers.get('allow')).toBe('GET, HEAD, OPTIONS');
      expect((await readError(answer)).status).toBe(405);
    }
    expect(await (await get('kept.txt')).text()).toBe('kept');
    expect((await get('new-one.txt')).status).toBe(404);
  },
);
