import { afterAll, beforeAll, describe, expect, test } from 'bun:test';
import { rename } from 'node:fs/promises';
import { join } from 'node:path';
import { openSqlite } from '../src/runtime/sqlite.ts';
import { type FakeClock, fakeClock } from '@hearth/testing/fake-clock';
import { BEHIND_PROXY, LimitedClient, limitHeaders } from '@hearth/testing/clients/limited-client';
import { readError, readValidationError } from '@hearth/testing/clients/read-error';
import { SlowUpload } from '@hearth/testing/clients/slow-upload';
import { startTestInstance, type TestInstance } from '@hearth/testing/instances/test-instance';
import {
  encodeForm,
  fieldPart,
  filePart,
  type FormPart,
  randomBytes,
} from '@hearth/testing/clients/upload-form';

const RESET_MS = 180_000;
const LIMIT = 5;
const BYTE_MAX = 1_000_000;

// The example of LI15, at a tenth of its size.
const TOML = `
[effis.rate_limits]
attachments = { reset_after = 180, limit = ${LIMIT}, file_size_limit = "1MB" }
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

/** Uploads files of these sizes one after another; returns each status and the bytes sent by then. */
async function uploads(client: LimitedClient, ...sizes: readonly number[]): Promise<unknown[]> {
  const answers: unknown[] = [];
  for (const size of sizes) {
    const answer = await client.upload(url, file(size));
    answers.push([answer.status, limitHeaders(answer).sentBytes]);
  }
  return answers;
}

async function byteRefusal(answer: Response): Promise<unknown> {
  const { status, data } = await readError(answer);
  expect([status, Object.keys(data ?? {}).toSorted()]).toEqual([
    429,
    ['bytes_left', 'retry_after'],
  ]);
  return data;
}

describe('the allowance of a time frame', () => {
  test('[LI13][LI15] the allowance is used up by five files of a fifth, and then by requests', async () => {
    const client = new LimitedClient();
    expect(await uploads(client, 200_000, 200_000, 200_000, 200_000, 200_000)).toEqual([
      [200, 200_000],
      [200, 400_000],
      [200, 600_000],
      [200, 800_000],
      [200, 1_000_000],
    ]);
    const answer = await client.upload(url, file(1));
    expect(limitHeaders(answer)).toMatchObject({ requestCount: LIMIT, sentBytes: BYTE_MAX });
    const { status, data } = await readError(answer);
    expect([status, data]).toEqual([429, { retry_after: RESET_MS }]);
  });

  test('[LI15][LI16] the allowance is used up by one file of all bytes, and then by bytes', async () => {
    const client = new LimitedClient();
    expect(await uploads(client, BYTE_MAX)).toEqual([[200, BYTE_MAX]]);
    const answer = await client.upload(url, file(1));
    expect(limitHeaders(answer)).toMatchObject({ requestCount: 2, sentBytes: BYTE_MAX });
    expect(await byteRefusal(answer)).toEqual({ retry_after: RESET_MS, bytes_left: 0 });
  });

  test('[LI15] the allowance is used up by requests if files are small', async () => {
    const client = new LimitedClient();
    expect(await uploads(client, 1, 1, 1, 1, 1, 1)).toEqual(
      [1, 2, 3, 4, 5, 5].map((sent, i) => [i < 5 ? 200 : 429, sent]),
    );
  });

  test('[LI13][LI16] a file that fits exactly is accepted, and not one byte more', async () => {
    const client = new LimitedClient();
    await uploads(client, 700_000);
    const answer = await client.upload(url, file(300_001));
    expect(limitHeaders(answer)).toMatchObject({ requestCount: 2, sentBytes: 700_000 });
    expect(await byteRefusal(answer)).toEqual({ retry_after: RESET_MS, bytes_left: 300_000 });
    expect(await uploads(client, 300_000)).toEqual([[200, BYTE_MAX]]);
  });

  test('[LI13][LI16] the allowance is the same for a body whose length is not announced', async () => {
    const client = new LimitedClient();
    const chunked = async (size: number) => {
      const form = encodeForm(file(size));
      using upload = await SlowUpload.begin(url, { client, form, announced: 'chunked' });
      for (let i = 0; i < 10; i += 1) await upload.send(60_001);
      return await upload.finish();
    };
    expect(limitHeaders(await chunked(600_000)).sentBytes).toBe(600_000);
    const refused = await chunked(400_001);
    expect(await byteRefusal(refused)).toEqual({ retry_after: RESET_MS, bytes_left: 400_000 });
    expect(limitHeaders(await chunked(400_000)).sentBytes).toBe(BYTE_MAX);
  });

  test('[LI14] the allowance is whole again for a client that has waited for retry_after', async () => {
    const client = new LimitedClient();
    await uploads(client, BYTE_MAX);
    clock.advance(61_003);
    const refusal = await byteRefusal(await client.upload(url, file(1)));
    expect(refusal).toEqual({ retry_after: RESET_MS - 61_003, bytes_left: 0 });
    clock.advance(RESET_MS - 61_003 - 1);
    const last = await byteRefusal(await client.upload(url, file(1)));
    expect(last).toEqual({ retry_after: 1, bytes_left: 0 });
    clock.advance(1);
    expect(await uploads(client, BYTE_MAX)).toEqual([[200, BYTE_MAX]]);
  });

  test('[LI5] the allowance is shared by all addresses that take uploads', async () => {
    const client = new LimitedClient();
    const { files } = instance.addresses;
    const counts: unknown[] = [];
    for (const path of ['/', '/attachments', '//attachments/', '']) {
      const { requestCount, sentBytes } = limitHeaders(await client.upload(files + path, file(10)));
      counts.push([requestCount, sentBytes]);
    }
    expect(counts).toEqual([
      [1, 10],
      [2, 20],
      [3, 30],
      [4, 40],
    ]);
  });
});

describe('the headers of an upload', () => {
  const headers = (requestCount: number, sentBytes: number) => ({
    reset: RESET_MS,
    max: LIMIT,
    lastReset: clock.unixMs(),
    requestCount,
    byteMax: BYTE_MAX,
    sentBytes,
  });

  test('[LI9][LI10][LI12][LI13] the headers are all six, whatever the answer is', async () => {
    const client = new LimitedClient();
    const answers = [
      await client.upload(url, file(600_000)),
      await client.upload(url, fieldPart('spoiler', 'true')),
      await client.upload(url, file(500_000)),
      await client.request('POST', url, 'no form'),
      await client.upload(url, file(600_000)),
      await client.upload(url, file(1)),
    ];
    expect(answers.map(({ status }) => status)).toEqual([200, 422, 429, 422, 429, 429]);
    const counts = [1, 2, 3, 4, 5, 5];
    expect(answers.map(limitHeaders)).toEqual(counts.map((count) => headers(count, 600_000)));
  });

  test('[LI11] the headers report the same last reset throughout the time frame', async () => {
    const client = new LimitedClient();
    const startedAtMs = clock.unixMs();
    for (const passedMs of [0, 100_000, RESET_MS - 100_000 - 1]) {
      clock.advance(passedMs);
      expect(limitHeaders(await client.upload(url, file(1))).lastReset).toBe(startedAtMs);
    }
    clock.advance(1);
    const { lastReset, sentBytes } = limitHeaders(await client.upload(url, file(1)));
    expect([lastReset, sentBytes]).toEqual([startedAtMs + RESET_MS, 1]);
  });
});

describe('the bytes that are billed', () => {
  test('[LI17] the bytes are those of the file alone, not those of its name or of other parts', async () => {
    const client = new LimitedClient();
    const parts = [
      fieldPart('note', 'x'.repeat(30_000)),
      filePart(randomBytes(1_000), `${'long-name-'.repeat(20)}.bin`),
      fieldPart('spoiler', 'true'),
      fieldPart('other', 'y'.repeat(20_000)),
    ];
    expect(limitHeaders(await client.upload(url, ...parts)).sentBytes).toBe(1_000);
  });

  test('[LI17] the bytes are the same when the same content is uploaded again', async () => {
    const client = new LimitedClient();
    const same = file(1_000);
    await client.upload(url, same);
    expect(limitHeaders(await client.upload(url, same)).sentBytes).toBe(2_000);
  });

  test.each<[what: string, field: string, parts: readonly FormPart[]]>([
    ['its file is empty', 'file', [file(0)]],
    ['it has two files', 'file', [file(1_000), file(1_000)]],
    ['its spoiler is no boolean', 'spoiler', [file(1_000), fieldPart('spoiler', 'maybe')]],
    ['its other parts are too large', 'body', [file(1_000), fieldPart('note', 'x'.repeat(66_000))]],
    ['it has no file', 'file', []],
  ])(
    '[LI17] no bytes are billed if an upload is refused because %s, but the request counts',
    async (_what, field, parts) => {
      const client = new LimitedClient();
      const answer = await client.upload(url, ...parts);
      expect((await readValidationError(answer.clone())).field).toBe(field);
      expect(limitHeaders(answer)).toMatchObject({ requestCount: 1, sentBytes: 0 });
      expect(await uploads(client, BYTE_MAX)).toEqual([[200, BYTE_MAX]]);
    },
  );

  test.each<[what: string, breakIt: () => Promise<() => Promise<void>>]>([
    ['write the file', breakFolder],
    ['record the file', breakTable],
  ])(
    '[LI9][LI17] no bytes are billed if the instance fails to %s, and the headers are there',
    async (_what, breakIt) => {
      const client = new LimitedClient();
      const mend = await breakIt();
      const answer = await client.upload(url, file(1_000));
      await mend();
      expect(answer.status).toBe(500);
      expect(limitHeaders(answer)).toMatchObject({
        requestCount: 1,
        byteMax: BYTE_MAX,
        sentBytes: 0,
      });
      expect(await uploads(client, BYTE_MAX)).toEqual([[200, BYTE_MAX]]);
    },
  );
});

/** Removes the folder that uploads are written to; returns what restores it. */
async function breakFolder(): Promise<() => Promise<void>> {
  const incoming = join(instance.folder, 'data', 'blobs', 'incoming');
  await rename(incoming, `${incoming}-away`);
  return () => rename(`${incoming}-away`, incoming);
}

/** Removes the table that uploads are recorded in; returns what restores it. */
async function breakTable(): Promise<() => Promise<void>> {
  const database = openSqlite(join(instance.folder, 'data', 'hearth.sqlite'));
  database.exec('alter table uploads rename to uploads_away');
  return async () => {
    database.exec('alter table uploads_away rename to uploads');
    database.close();
  };
}
