import { afterAll, beforeAll, expect, test } from 'bun:test';
import { createHash } from 'node:crypto';
import { folderInstance } from '@hearth/testing/instances/folder-instance';
import type { LineProcess } from '@hearth/testing/line-process';
import { RawConnection, requestLines } from '@hearth/testing/clients/raw-http';
import { tempFolder, type TempFolder } from '@hearth/testing/temp-folder';
import { GENEROUS_LIMITS } from '@hearth/testing/instances/test-instance';
import {
  encodeForm,
  filePart,
  randomBytes,
  readFileData,
} from '@hearth/testing/clients/upload-form';

const CHUNK = randomBytes(1_000_000);
const WARM_UP_CHUNKS = 50;
/** Much less than any file here, but not nothing: the runtime decides when it frees the memory of sent data. */
const MOST_GROWTH_BYTES = 60_000_000;
const FORM = encodeForm(filePart('CONTENT'));
const CONTENT_AT = FORM.body.indexOf('CONTENT');
const BEFORE = FORM.body.subarray(0, CONTENT_AT);
const AFTER = FORM.body.subarray(CONTENT_AT + 'CONTENT'.length);

let folder: TempFolder;
let instance: LineProcess;
let files: string;

async function peakMemory(): Promise<number> {
  await instance.send('memory');
  return Number(await instance.says());
}

async function expectNoGrowth(work: () => Promise<void>): Promise<void> {
  const before = await peakMemory();
  await work();
  expect((await peakMemory()) - before).toBeLessThan(MOST_GROWTH_BYTES);
}

function hashOf(chunks: number): string {
  const hash = createHash('sha256');
  for (let index = 0; index < chunks; index += 1) hash.update(CHUNK);
  return hash.digest('hex');
}

async function uploadChunked(chunks: number): Promise<{ id: string }> {
  let sent = -1;
  const body = new ReadableStream<Uint8Array>({
    pull(controller) {
      if (sent === chunks) {
        controller.enqueue(AFTER);
        controller.close();
      } else controller.enqueue(sent === -1 ? BEFORE : CHUNK);
      sent += 1;
    },
  });
  const headers = { 'Content-Type': FORM.contentType };
  return readFileData(await fetch(files, { method: 'POST', headers, body }));
}

async function uploadAnnounced(chunks: number): Promise<{ id: string }> {
  const length = BEFORE.length + chunks * CHUNK.length + AFTER.length;
  using connection = await RawConnection.connect(files);
  const headers = [`Content-Type: ${FORM.contentType}`, `Content-Length: ${length}`];
  await connection.send(requestLines('POST', '/', ...headers));
  await connection.send(BEFORE);
  for (let index = 0; index < chunks; index += 1) await connection.send(CHUNK);
  await connection.send(AFTER);
  return readFileData(await connection.answer());
}

/** Reads a content and returns its size and hash. */
async function download(path: string, headers: Record<string, string> = {}) {
  const answer = await fetch(files + path, { headers });
  const hash = createHash('sha256');
  let size = 0;
  for await (const chunk of answer.body ?? []) {
    size += chunk.byteLength;
    hash.update(chunk);
  }
  return { status: answer.status, size, sha256: hash.digest('hex') };
}

/** Uploads and downloads files of this many megabytes. */
export function testUploadMemory(chunks: number): void {
  beforeAll(async () => {
    folder = await tempFolder();
    const toml = `${GENEROUS_LIMITS}\n[effis]\nattachment_file_size = "1GB"\n`;
    instance = folderInstance(folder.path, toml);
    files = await instance.says();
    // The code for this is loaded once and stays in memory.
    const { id } = await uploadChunked(WARM_UP_CHUNKS);
    await download(`/${id}`);
  });

  afterAll(async () => {
    await instance[Symbol.asyncDispose]();
    await folder[Symbol.asyncDispose]();
  });

  const whole = { status: 200, size: chunks * CHUNK.length, sha256: hashOf(chunks) };

  test('that is uploaded, with or without Content-Length, or downloaded', async () => {
    let id = '';
    await expectNoGrowth(async () => {
      ({ id } = await uploadChunked(chunks));
    });
    await expectNoGrowth(async () => {
      await uploadAnnounced(chunks);
    });
    expect(id).not.toBe('');
    await expectNoGrowth(async () => {
      expect(await download(`/${id}`)).toEqual(whole);
      expect(await download(`/${id}`, { Range: 'bytes=0-1,5-6' })).toEqual(whole);
      expect(await download(`/${id}`, { Range: 'bytes=0-' })).toEqual({ ...whole, status: 206 });
    });
  });

  test('that many clients request and do not read', async () => {
    const { id } = await uploadChunked(50);
    await expectNoGrowth(async () => {
      const readers = await Promise.all(
        Array.from({ length: 20 }, () => RawConnection.connect(files)),
      );
      for (const reader of readers) await reader.send(requestLines('GET', `/${id}`));
      expect((await download(`/${id}`)).size).toBe(50 * CHUNK.length);
      for (const reader of readers) reader[Symbol.dispose]();
    });
  });
}
