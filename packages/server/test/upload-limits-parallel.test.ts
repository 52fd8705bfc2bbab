import { afterAll, beforeAll, describe, expect, test } from 'bun:test';
import { type FakeClock, fakeClock } from '@hearth/testing/fake-clock';
import { BEHIND_PROXY, LimitedClient, limitHeaders } from '@hearth/testing/clients/limited-client';
import { readError, readValidationError } from '@hearth/testing/clients/read-error';
import { SlowUpload } from '@hearth/testing/clients/slow-upload';
import { startTestInstance, type TestInstance } from '@hearth/testing/instances/test-instance';
import {
  encodeForm,
  type EncodedForm,
  fieldPart,
  filePart,
  type FormPart,
  randomBytes,
} from '@hearth/testing/clients/upload-form';

const RESET_MS = 180_000;
const BYTE_MAX = 1_000_000;

/** The bytes that everything except the file may take in total. */
const MAX_OVERHEAD = 65_536;

const TOML = `
[effis]
attachment_file_size = "2MB"
[effis.rate_limits]
attachments = { reset_after = 180, limit = 1000, file_size_limit = "1MB" }
`;

let clock: FakeClock;
let instance: TestInstance;
let url: string;

beforeAll(async () => {
  clock = fakeClock();
  instance = await startTestInstance({ toml: TOML, clock, env: BEHIND_PROXY });
  url = `${instance.addresses.files}/attachments`;
});

afterAll(() => instance[Symbol.asyncDispose]());

const file = (size: number): FormPart => filePart(randomBytes(size));

/** A form with a file of this size and this many other bytes. */
function paddedForm(size: number, overhead: number): EncodedForm {
  const data = file(size);
  const least = encodeForm(data, fieldPart('note', '')).body.byteLength - size;
  return encodeForm(data, fieldPart('note', 'x'.repeat(overhead - least)));
}

interface Probe {
  readonly status: number;
  readonly bytesLeft: unknown;
}

/** Announces far too much, so that the refusal reports what is left. */
async function probe(client: LimitedClient): Promise<Probe> {
  const { status, data } = await readError(await client.upload(url, file(BYTE_MAX + 100_000)));
  return { status, bytesLeft: data?.['bytes_left'] };
}

/** Resolves as soon as the client has this many bytes left, after those that are billed or reserved. */
async function untilLeft(client: LimitedClient, bytesLeft: number): Promise<void> {
  let left: unknown;
  for (let asked = 0; asked < 500; asked += 1) {
    left = (await probe(client)).bytesLeft;
    if (left === bytesLeft) return;
  }
  throw new Error(`${String(left)} bytes are left, not ${bytesLeft}`);
}

/** Begins an upload and sends half of its file. Resolves when the instance has counted what the upload reserves. */
async function halfSent(client: LimitedClient, size: number): Promise<SlowUpload> {
  const form = encodeForm(file(size));
  const upload = await SlowUpload.begin(url, { client, form });
  await upload.send(form.body.byteLength >> 1);
  await untilLeft(client, BYTE_MAX - size);
  return upload;
}

describe('a running upload', () => {
  test('[LI18] an upload reserves the announced bytes of its file until it ends, and is billed the actual ones', async () => {
    const client = new LimitedClient();
    using upload = await halfSent(client, 600_000);
    const answer = await upload.finish();
    expect([answer.status, limitHeaders(answer).sentBytes]).toEqual([200, 600_000]);
    expect((await probe(client)).bytesLeft).toBe(400_000);
  });

  test('[LI18] others are let through as long as they fit', async () => {
    const client = new LimitedClient();
    using first = await halfSent(client, 600_000);
    const left = 400_000;
    const refused = await client.upload(url, file(left + 1));
    expect((await readError(refused)).data).toEqual({ retry_after: RESET_MS, bytes_left: left });
    const passed = await client.upload(url, file(left));
    expect([passed.status, limitHeaders(passed).sentBytes]).toEqual([200, left]);
    const answer = await first.finish();
    expect([answer.status, limitHeaders(answer).sentBytes]).toEqual([200, left + 600_000]);
  });

  test('[LI17][LI18] an upload releases what it reserves when its client breaks off', async () => {
    const client = new LimitedClient();
    const upload = await halfSent(client, 900_000);
    upload[Symbol.dispose]();
    await untilLeft(client, BYTE_MAX);
    const answer = await client.upload(url, file(BYTE_MAX));
    expect([answer.status, limitHeaders(answer).sentBytes]).toEqual([200, BYTE_MAX]);
  });

  test('[LI18] an upload reserves what it has sent if its length is not announced', async () => {
    const client = new LimitedClient();
    const form = encodeForm(file(800_000));
    const head = form.body.indexOf('\r\n\r\n') + 4;
    using upload = await SlowUpload.begin(url, { client, form, announced: 'chunked' });
    await upload.send(head + 300_000);
    // The parser holds back the bytes that could be the end of the file.
    await untilLeft(client, 700_000);
    const other = await client.upload(url, file(500_000));
    expect(limitHeaders(other).sentBytes).toBe(500_000);
    const refused = await upload.finish();
    expect((await readError(refused)).data).toEqual({ retry_after: RESET_MS, bytes_left: 500_000 });
  });

  test('[LI18] an upload reserves at most what is left, and is accepted if its file turns out small enough', async () => {
    const client = new LimitedClient();
    const form = paddedForm(990_000, 60_000);
    using upload = await SlowUpload.begin(url, { client, form });
    await untilLeft(client, 0);
    const answer = await upload.finish();
    expect([answer.status, limitHeaders(answer).sentBytes]).toEqual([200, 990_000]);
  });

  test('[LI18] that came later does not take what an earlier one reserves', async () => {
    const client = new LimitedClient();
    using first = await halfSent(client, 600_000);
    using second = await SlowUpload.begin(url, { client, form: encodeForm(file(450_000)) });
    await untilLeft(client, 0);
    expect((await readError(await second.finish())).data).toEqual({
      retry_after: RESET_MS,
      bytes_left: 400_000,
    });
    expect(limitHeaders(await first.finish()).sentBytes).toBe(600_000);
  });

  test('[LI3][LI18] an upload is accepted if it fits: of ten that begin at the same time, as many are', async () => {
    const client = new LimitedClient();
    const answers = await Promise.all(
      Array.from({ length: 10 }, () => client.upload(url, file(150_000))),
    );
    const passed = answers.filter(({ status }) => status === 200);
    expect(passed).toHaveLength(6);
    const sent = passed.map((answer) => limitHeaders(answer).sentBytes ?? 0);
    expect(sent.toSorted((a, b) => a - b).at(-1)).toBe(900_000);
    expect(answers.filter(({ status }) => status === 429)).toHaveLength(4);
    expect((await probe(client)).bytesLeft).toBe(100_000);
  });

  test('[LI13] that is refused reports the bytes that others were billed meanwhile', async () => {
    const client = new LimitedClient();
    const form = encodeForm(file(100_000), fieldPart('spoiler', 'maybe'));
    using upload = await SlowUpload.begin(url, { client, form });
    await upload.send(60_000);
    await client.upload(url, file(200_000));
    const answer = await upload.finish();
    expect([answer.status, limitHeaders(answer).sentBytes]).toEqual([422, 200_000]);
  });

  test('[LI11][LI17] an upload is billed to the window in which it began, and answered with its headers', async () => {
    const client = new LimitedClient();
    const startedAtMs = clock.unixMs();
    using upload = await halfSent(client, 600_000);
    clock.advance(RESET_MS);
    expect((await probe(client)).bytesLeft).toBe(BYTE_MAX);
    expect(limitHeaders(await upload.finish())).toMatchObject({
      lastReset: startedAtMs,
      sentBytes: 600_000,
    });
    const next = await client.upload(url, file(BYTE_MAX));
    expect([next.status, limitHeaders(next)]).toMatchObject([
      200,
      { lastReset: startedAtMs + RESET_MS, requestCount: 2, sentBytes: BYTE_MAX },
    ]);
  });
});

describe('an upload that is certain to be refused', () => {
  const headOnly = async (client: LimitedClient, announced: number) => {
    const form = encodeForm(file(10));
    using upload = await SlowUpload.begin(url, { client, form, announced });
    return await upload.answer();
  };

  test('[LI19] an upload is refused when only its head has arrived', async () => {
    const client = new LimitedClient();
    await client.upload(url, file(250_000));
    const answer = await headOnly(client, 750_000 + MAX_OVERHEAD + 1);
    expect(limitHeaders(answer)).toMatchObject({ requestCount: 2, sentBytes: 250_000 });
    expect((await readError(answer)).data).toEqual({ retry_after: RESET_MS, bytes_left: 750_000 });
  });

  test('[LI19] an upload is also refused if it is certain that its file is too large', async () => {
    const client = new LimitedClient();
    const answer = await headOnly(client, 2_000_000 + MAX_OVERHEAD + 1);
    expect((await readValidationError(answer)).field).toBe('file');
  });

  test('[LI16][LI19] an upload that could still fit, with everything that a form may hold besides its file, is not one', async () => {
    const client = new LimitedClient();
    const answer = await fetch(url, {
      method: 'POST',
      headers: { ...client.headers, 'Content-Type': encodeForm().contentType },
      body: paddedForm(BYTE_MAX, MAX_OVERHEAD).body,
    });
    expect([answer.status, limitHeaders(answer).sentBytes]).toEqual([200, BYTE_MAX]);
  });

  test('[LI18][LI19] an upload that fits as soon as another releases what it reserves is not one', async () => {
    const client = new LimitedClient();
    const first = await halfSent(client, 600_000);
    using second = await SlowUpload.begin(url, { client, form: encodeForm(file(900_000)) });
    await untilLeft(client, 0);
    first[Symbol.dispose]();
    await untilLeft(client, 600_000);
    const answer = await second.finish();
    expect([answer.status, limitHeaders(answer).sentBytes]).toEqual([200, 900_000]);
  });

  test('[LI19] an upload gets its answer even if it writes everything before it reads', async () => {
    const client = new LimitedClient();
    const form = encodeForm(file(1_900_000));
    using upload = await SlowUpload.begin(url, { client, form });
    const { data } = await readError(await upload.finish());
    expect(data).toEqual({ retry_after: RESET_MS, bytes_left: BYTE_MAX });
  });
});
