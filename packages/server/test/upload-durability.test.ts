import { afterAll, beforeAll, describe, expect, test } from 'bun:test';
import { mkdir, rm, truncate, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { OWNER } from '../src/actor.ts';
import { listUploads } from '../src/features/files/uploads/list-uploads.ts';
import { RawConnection, requestLines } from '@hearth/testing/clients/raw-http';
import { readValidationError } from '@hearth/testing/clients/read-error';
import { storedFiles } from '@hearth/testing/instances/stored-files';
import { tempFolder } from '@hearth/testing/temp-folder';
import { openTestContext } from '@hearth/testing/instances/test-context';
import {
  GENEROUS_LIMITS,
  startTestInstance,
  type TestInstance,
} from '@hearth/testing/instances/test-instance';
import {
  encodeForm,
  fieldPart,
  filePart,
  postForm,
  randomBytes,
  readFileData,
  upload,
} from '@hearth/testing/clients/upload-form';
import { until } from '@hearth/testing/until';

let instance: TestInstance;
let files: string;

beforeAll(async () => {
  const toml = `${GENEROUS_LIMITS}\n[effis]\nattachment_file_size = 2000000\n`;
  instance = await startTestInstance({ toml });
  files = instance.addresses.files;
});

afterAll(() => instance[Symbol.asyncDispose]());

const incomingCount = async () => (await storedFiles(instance.folder)).incoming.length;

/** Everything in storage that belongs to uploads. */
async function everything() {
  await using ctx = await openTestContext(instance);
  return { uploads: await listUploads(ctx, OWNER), stored: await storedFiles(instance.folder) };
}

describe('[FS20] an upload that breaks off leaves nothing in storage', () => {
  const data = randomBytes(1_000_000);
  const { contentType, body } = encodeForm(fieldPart('spoiler', '1'), filePart(data));
  const beforeData = body.indexOf(data);
  const places = {
    'before its body': 0,
    'in the first delimiter': 5,
    'in the head of the file': beforeData - 10,
    'at the first byte of the file': beforeData + 1,
    'in the middle of the file': beforeData + data.length / 2,
    'after the file': beforeData + data.length,
    'one byte before its end': body.lastIndexOf('--') + 1,
  };

  test.each(Object.entries(places))('%s, announced or chunked', async (_place, bytes) => {
    const before = await everything();
    for (const framing of [`Content-Length: ${body.length}`, 'Transfer-Encoding: chunked']) {
      const isChunked = framing.startsWith('Transfer');
      const connection = await RawConnection.connect(files);
      await connection.send(requestLines('POST', '/', framing, `Content-Type: ${contentType}`));
      if (isChunked) await connection.send(`${body.length.toString(16)}\r\n`);
      await connection.send(body.subarray(0, bytes));
      if (bytes > beforeData) await until(async () => (await incomingCount()) > 0);
      connection[Symbol.dispose]();
      await until(async () => (await incomingCount()) === 0);
    }
    expect(await everything()).toEqual(before);
  });

  test('even if very many break off at once', async () => {
    const before = await everything();
    const connections = await Promise.all(
      Array.from({ length: 40 }, () => RawConnection.connect(files)),
    );
    const headers = [`Content-Length: ${body.length}`, `Content-Type: ${contentType}`];
    for (const connection of connections) {
      await connection.send(requestLines('POST', '/', ...headers));
      await connection.send(body.subarray(0, body.length / 2));
    }
    await until(async () => (await incomingCount()) === connections.length);
    for (const connection of connections) connection[Symbol.dispose]();
    await until(async () => (await incomingCount()) === 0);
    expect(await everything()).toEqual(before);
  });
});

describe('[FS20] an upload that is refused leaves nothing in storage', () => {
  const file = filePart(randomBytes(100_000));
  const { contentType, body } = encodeForm(file);

  test.each([
    ['two files', encodeForm(file, file)],
    ['a spoiler that is not a boolean', encodeForm(file, fieldPart('spoiler', 'perhaps'))],
    ['too much beside the file', encodeForm(file, fieldPart('x', 'x'.repeat(70_000)))],
    ['a file that is too large', encodeForm(filePart(randomBytes(2_000_001)))],
    ['no end', { contentType, body: body.subarray(0, -4) }],
    ['an empty file', encodeForm(filePart(''))],
  ])('for %s', async (_reason, form) => {
    const before = await everything();
    await readValidationError(await postForm(files, form));
    expect(await everything()).toEqual(before);
  });
});

describe('[FS18] the same content', () => {
  test('a content is stored once, however often and at whatever time it is uploaded', async () => {
    const before = await everything();
    const bytes = randomBytes(300_000);
    const first = await upload(files, bytes, 'first.bin');
    const marked = encodeForm(fieldPart('spoiler', 'yes'), filePart(bytes, 'second.bin'));
    const second = await readFileData(await postForm(files, marked));
    const more = await Promise.all(Array.from({ length: 20 }, () => upload(files, bytes)));
    expect(new Set([first, second, ...more].map(({ id }) => id)).size).toBe(22);
    expect(first).toMatchObject({ name: 'first.bin' });
    expect(first).not.toHaveProperty('spoiler');
    expect(second).toMatchObject({ name: 'second.bin', spoiler: true });
    const { stored } = await everything();
    expect(stored.contents).toHaveLength(before.stored.contents.length + 1);
    expect(stored.incoming).toEqual([]);
    for (const { id } of [first, second]) {
      expect(await (await fetch(`${files}/${id}`)).bytes()).toEqual(Uint8Array.from(bytes));
    }
  });
});

describe('[FS20] what a killed process leaves', () => {
  test('leftovers are removed by the next start, but recorded contents stay', async () => {
    await using folder = await tempFolder();
    const first = await startTestInstance({ folder: folder.path });
    const kept = await upload(first.addresses.files, 'kept');
    await first.stop();
    const [keptKey = ''] = (await storedFiles(folder.path)).contents;

    const blobs = join(folder.path, 'data', 'blobs');
    const [half, sealed, published] = Array.from({ length: 3 }, () => crypto.randomUUID());
    const leave = async (...path: string[]) => {
      await mkdir(dirname(join(blobs, ...path)), { recursive: true });
      await writeFile(join(blobs, ...path), 'left behind');
    };
    await leave('incoming', `${half}`);
    await leave('incoming', `${sealed}`);
    await leave('incoming', `${sealed}.intent`);
    await leave(`${published}`.slice(0, 2), `${published}`);
    await leave('incoming', `${published}.intent`);
    await leave('incoming', `${keptKey}.intent`);

    await using second = await startTestInstance({ folder: folder.path });
    expect(await storedFiles(folder.path)).toEqual({ contents: [keptKey], incoming: [] });
    const answer = await fetch(`${second.addresses.files}/${kept.id}`);
    expect(await answer.text()).toBe('kept');
  });
});

test.each<[how: string, lose: (path: string) => Promise<void>]>([
  ['was lost', (path) => rm(path)],
  ['was cut off', (path) => truncate(path, 3)],
  ['was damaged', (path) => writeFile(path, new Uint8Array(5_000))],
])('[FS1][FS19] a content that %s is restored when it is uploaded again', async (_how, lose) => {
  await using other = await startTestInstance();
  const url = other.addresses.files;
  const bytes = randomBytes(5_000);
  const first = await upload(url, bytes);
  const { contents } = await storedFiles(other.folder);
  const [key = ''] = contents;
  await lose(join(other.folder, 'data', 'blobs', key.slice(0, 2), key));
  const second = await upload(url, bytes);
  for (const { id } of [first, second]) {
    expect(await (await fetch(`${url}/${id}`)).bytes()).toEqual(Uint8Array.from(bytes));
  }
  expect(await storedFiles(other.folder)).toEqual({ contents, incoming: [] });
});

describe('[FS15] a paused upload', () => {
  const data = randomBytes(200_000);
  const { contentType, body } = encodeForm(filePart(data));

  test('an upload continues where it stopped', async () => {
    using connection = await RawConnection.connect(files);
    const headers = [`Content-Length: ${body.length}`, `Content-Type: ${contentType}`];
    await connection.send(requestLines('POST', '/', ...headers));
    await connection.send(body.subarray(0, 100_000));
    await until(async () => (await incomingCount()) > 0);
    await upload(files, 'another meanwhile');
    await connection.send(body.subarray(100_000));
    const { id } = await readFileData(await connection.answer());
    expect(await (await fetch(`${files}/${id}`)).bytes()).toEqual(Uint8Array.from(data));
  });
});
