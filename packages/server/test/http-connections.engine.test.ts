import { expect, test } from 'bun:test';
import type { Addresses } from '../src/context.ts';
import { descriptorShares } from '../src/runtime/descriptor-limit.ts';
import { LimitedClient } from '@hearth/testing/clients/limited-client';
import { fakeClock } from '@hearth/testing/fake-clock';
import { startLimitedInstance } from '@hearth/testing/instances/limited-instance';
import { RawConnection, requestLines } from '@hearth/testing/clients/raw-http';
import { readError } from '@hearth/testing/clients/read-error';
import { SlowUpload } from '@hearth/testing/clients/slow-upload';
import { GENEROUS_LIMITS, startTestInstance } from '@hearth/testing/instances/test-instance';
import { encodeForm, fieldPart, filePart, upload } from '@hearth/testing/clients/upload-form';

const DESCRIPTORS = 256;
/** More than the system buffers for a client that reads nothing. */
const DOWNLOAD_BYTES = 16_000_000;
const MESSAGE = '{"author":"ada","content":"x"}';

/** An address of each of the three services. */
function services({ rest, files, gateway }: Addresses): readonly string[] {
  return [rest, `${files}/none`, gateway.replace('ws:', 'http:')];
}

/** The header line of a client that makes no other request. */
function clientLine(client = new LimitedClient()): string {
  return `X-Real-IP: ${client.headers['X-Real-IP']}`;
}

const getLines = (url: string) => requestLines('GET', new URL(url).pathname);
const messageLines = requestLines('POST', '/messages', `Content-Length: ${MESSAGE.length}`);

/** Sends a text on a connection to each of `urls` and nothing more. Resolves when all are cut, with the status lines. */
async function untilCut(urls: readonly string[], textFor: (url: string) => string) {
  return Promise.all(
    urls.map(async (url) => {
      using connection = await RawConnection.connect(url);
      await connection.send(textFor(url));
      return (await connection.rest()).split('\r\n', 1)[0];
    }),
  );
}

// The tests run at the same time, because this one mostly waits. It is one test, because each case takes the same 10 seconds. If connections were not cut, it would time out.
test.concurrent('[HT9][FS15] silent connections are cut, but not an upload or a download that pauses, nor a client that has read a file', async () => {
  await using instance = await startTestInstance();
  const { rest, files } = instance.addresses;
  const client = new LimitedClient();
  using paused = await SlowUpload.begin(files, { client, form: encodeForm(filePart('content')) });
  await paused.send(20);
  const { id } = await upload(files, new Uint8Array(DOWNLOAD_BYTES));
  using unread = await RawConnection.connect(files);
  await unread.send(requestLines('GET', `/${id}`));

  const { id: small } = await upload(files, 'small');
  using afterFile = await RawConnection.connect(files);
  for (let again = 0; again < 2; again += 1) {
    await afterFile.send(requestLines('GET', `/${small}`));
    expect(await (await afterFile.answer()).text()).toBe('small');
  }

  const urls = services(instance.addresses);
  const refused = encodeForm(fieldPart('other', 'x'));
  const refusedLines = requestLines(
    'POST',
    '/attachments',
    `Content-Type: ${refused.contentType}`,
    `Content-Length: ${refused.body.byteLength}`,
  );
  const [silent, halfHead, halfBody, resting, afterUpload] = await Promise.all([
    untilCut(urls, () => ''),
    untilCut(urls, () => 'GET / HTTP/1.1\r\nHost: h'),
    untilCut([rest], () => messageLines + MESSAGE.slice(0, 10)),
    untilCut(urls, getLines),
    untilCut([files], () => `${refusedLines}${refused.body.toString()}`),
  ]);
  expect(afterUpload).toEqual(['HTTP/1.1 422 Unprocessable Entity']);
  expect([...silent, ...halfHead, ...halfBody].join('')).toBe('');
  expect(resting).toEqual([
    'HTTP/1.1 200 OK',
    'HTTP/1.1 404 Not Found',
    'HTTP/1.1 426 Upgrade Required',
  ]);
  await afterFile.send(requestLines('GET', `/${small}`));
  expect(await (await afterFile.answer()).text()).toBe('small');
  expect((await paused.finish()).status).toBe(200);
  expect((await (await unread.answer()).bytes()).byteLength).toBe(DOWNLOAD_BYTES);
});

test.concurrent('[HT9] idle connections between two requests are closed when descriptors run short', async () => {
  await using instance = await startLimitedInstance(DESCRIPTORS);
  using resting = new DisposableStack();
  const urls = services(instance.addresses);
  for (const url of urls) {
    for (let count = 0; count < DESCRIPTORS; count += 1) {
      const connection = resting.use(await RawConnection.connect(url));
      await connection.send(getLines(url));
      await connection.answer();
    }
  }
  const answers = await Promise.all(urls.map((url) => fetch(url)));
  expect(answers.map(({ status }) => status)).toEqual([200, 404, 426]);
});

test.concurrent('[HT9] the file service refuses more requests at once than it can hold, and the others are not affected', async () => {
  await using instance = await startLimitedInstance(DESCRIPTORS);
  const { files } = instance.addresses;
  const form = encodeForm(filePart('content'));
  const { id } = await upload(files, new Uint8Array(DOWNLOAD_BYTES));
  using held = new DisposableStack();
  const uploads: SlowUpload[] = [];
  for (let count = 0; count < descriptorShares(DESCRIPTORS).fileRequests; count += 2) {
    const unread = held.use(await RawConnection.connect(files));
    await unread.send(requestLines('GET', `/${id}`, clientLine()));
    const begun = held.use(await SlowUpload.begin(files, { client: new LimitedClient(), form }));
    await begun.send(20);
    uploads.push(begun);
  }
  const refused = await fetch(`${files}/none`);
  expect(refused.headers.get('connection')).toBe('close');
  expect((await readError(refused)).status).toBe(500);
  const others = await Promise.all(services(instance.addresses).map((url) => fetch(url)));
  expect(others.map(({ status }) => status)).toEqual([200, 500, 426]);
  expect((await uploads.at(-1)?.finish())?.status).toBe(200);
  expect((await fetch(`${files}/none`)).status).toBe(404);
  for (const begun of uploads.slice(0, -1)) expect((await begun.finish()).status).toBe(200);
});

test.concurrent('[FS27] a client that reads downloads slowly can use half of what the file service can hold, and others are served', async () => {
  await using instance = await startLimitedInstance(DESCRIPTORS);
  const { files } = instance.addresses;
  const { id } = await upload(files, new Uint8Array(DOWNLOAD_BYTES));
  const slow = clientLine();
  const get = async (client: string) => {
    const connection = await RawConnection.connect(files);
    await connection.send(requestLines('GET', `/${id}`, client));
    return connection;
  };
  using held = new DisposableStack();
  const slots = descriptorShares(DESCRIPTORS).fileRequests;
  for (let count = 0; count < slots / 2; count += 1) held.use(await get(slow));
  using refused = await get(slow);
  const error = await readError(await refused.answer());
  expect(error).toMatchObject({ status: 429, data: { retry_after: 5_000 } });
  using other = await get(clientLine());
  expect((await (await other.answer()).bytes()).byteLength).toBe(DOWNLOAD_BYTES);
  const begun = await SlowUpload.begin(files, {
    client: new LimitedClient(slow.slice('X-Real-IP: '.length)),
    form: encodeForm(filePart('content')),
  });
  expect((await begun.finish()).status).toBe(429);

  held.dispose();
  for (;;) {
    using again = await get(slow);
    const { status } = await again.answer();
    if (status === 200) break;
    expect(status).toBe(429);
  }
});

test.concurrent('[FS27] ranges of files count as long as they are being read, and small files count too', async () => {
  const toml = `effis.transfers_per_client = 2\n${GENEROUS_LIMITS}`;
  await using instance = await startTestInstance({ toml });
  const { files } = instance.addresses;
  const small = await upload(files, new Uint8Array(100));
  for (let count = 0; count < 20; count += 1) {
    expect((await fetch(`${files}/${small.id}`)).status).toBe(200);
  }
  const { id } = await upload(files, new Uint8Array(DOWNLOAD_BYTES));
  using held = new DisposableStack();
  for (const range of ['bytes=0-', 'bytes=100-15999999']) {
    const unread = held.use(await RawConnection.connect(files));
    await unread.send(requestLines('GET', `/${id}`, `Range: ${range}`));
  }
  await untilStatus(429, `${files}/${small.id}`);
});

test.concurrent('[FS28] a download that takes too long is cut', async () => {
  const clock = fakeClock();
  const toml = `effis.transfers_per_client = 1\n${GENEROUS_LIMITS}`;
  await using instance = await startTestInstance({ clock, toml });
  const { files } = instance.addresses;
  const { id } = await upload(files, new Uint8Array(DOWNLOAD_BYTES));
  using late = await RawConnection.connect(files);
  await late.send(requestLines('GET', `/${id}`));
  await untilStatus(429, `${files}/${id}`);
  clock.halt(10 * 60_000 + DOWNLOAD_BYTES + 1);
  await untilStatus(200, `${files}/${id}`);
  expect((await late.rest()).length).toBeLessThan(DOWNLOAD_BYTES);
});

/** Fetches again and again until the answer has this status, and reads it. */
async function untilStatus(status: number, url: string): Promise<void> {
  for (;;) {
    const answer = await fetch(url);
    await answer.arrayBuffer();
    if (answer.status === status) return;
  }
}
