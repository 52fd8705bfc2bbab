import { errorEnvelopeSchema } from '@hearth/protocol/schemas';
import { afterAll, beforeAll, describe, expect, test } from 'bun:test';
import { connect } from 'node:net';
import { RawConnection, requestLines } from '@hearth/testing/clients/raw-http';
import { readError, readValidationError } from '@hearth/testing/clients/read-error';
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
  upload,
  type EncodedForm,
} from '@hearth/testing/clients/upload-form';

const LARGE = Buffer.alloc(50_000_000, 'good evening ');

let instance: TestInstance;
let files: string;

beforeAll(async () => {
  const toml = `${GENEROUS_LIMITS}\n[effis]\nattachment_file_size = 1000000\n`;
  instance = await startTestInstance({ toml });
  files = instance.addresses.files;
});

afterAll(() => instance[Symbol.asyncDispose]());

/** Sends the whole form before it reads anything, as many clients do, and returns what it then reads. */
async function sendThenRead(path: string, form: EncodedForm, connection: string, url = files) {
  const { hostname, port } = new URL(url);
  const socket = connect({ host: hostname, port: Number(port) });
  socket.pause();
  const { promise: cut, reject } = Promise.withResolvers<never>();
  socket.on('error', reject);
  const headers = [`Content-Length: ${form.body.length}`, `Content-Type: ${form.contentType}`];
  const head = requestLines('POST', path, `Connection: ${connection}`, ...headers);
  const sent = new Promise<void>((resolve) => {
    socket.write(Buffer.concat([Buffer.from(head), form.body]), () => resolve());
  });
  await Promise.race([sent, cut]);
  let received = '';
  for await (const chunk of socket) {
    received += String(chunk);
    const [lines = '', body = ''] = received.split('\r\n\r\n');
    const length = Number(/^content-length: (\d+)$/im.exec(lines)?.[1]);
    if (body.length === length) return errorEnvelopeSchema.parse(JSON.parse(body));
  }
  throw new Error(`no whole answer: ${received}`);
}

// If a connection is not kept alive, the runtime cuts it as soon as the answer is sent.
describe.each(['keep-alive', 'close'])('[FS17] with Connection: %s', (connection) => {
  const form = encodeForm(filePart(LARGE));
  const otherType = { ...form, contentType: 'application/json' };
  const rest = fieldPart('other', LARGE.subarray(0, 900_000));

  test.each<[reason: string, path: string, form: EncodedForm, field: string]>([
    ['the file is announced as too large', '/', form, 'file'],
    ['the bucket takes no uploads', '/avatars', form, 'bucket'],
    ['the body is not a form', '/', otherType, 'body'],
    ['there are two files', '/', encodeForm(filePart('x'), filePart('y'), rest), 'file'],
    ['there is too much beside the file', '/', encodeForm(rest, filePart('x')), 'body'],
  ])(
    'a client that writes everything before it reads learns that %s',
    async (_reason, path, sent, field) => {
      const { status, data } = await sendThenRead(path, sent, connection);
      expect([status, data?.['field_name']]).toEqual([422, field]);
    },
  );

  test('a client that writes everything before it reads learns that a route takes no uploads', async () => {
    expect((await sendThenRead('/static/a.bin', form, connection)).status).toBe(405);
  });

  test('a client that writes everything before it reads learns that its requests are used up', async () => {
    const toml = '[effis.rate_limits]\nattachments = { reset_after = 60, limit = 1 }\n';
    await using limited = await startTestInstance({ toml });
    const url = limited.addresses.files;
    await upload(url, 'x');
    expect((await sendThenRead('/', form, connection, url)).status).toBe(429);
  });

  test('a client that writes everything before it reads learns that its bytes are used up', async () => {
    const toml = '[effis.rate_limits]\nattachments = { file_size_limit = 1000 }\n';
    await using limited = await startTestInstance({ toml });
    const { status, data } = await sendThenRead('/', form, connection, limited.addresses.files);
    expect([status, data?.['bytes_left']]).toEqual([429, 1_000]);
  });
});

test('[FS17] a client that reads at once need not send the rest', async () => {
  using connection = await RawConnection.connect(files);
  const { contentType, body } = encodeForm(filePart(LARGE));
  const headers = [`Content-Length: ${body.length}`, `Content-Type: ${contentType}`];
  await connection.send(requestLines('POST', '/', ...headers));
  expect((await readError(await connection.answer())).status).toBe(422);
});

test('[FS9] several files in one part, as curl nests them, are refused like several parts', async () => {
  const fileIn = (name: string) =>
    `--inner\r\nContent-Disposition: attachment; filename="${name}"\r\nContent-Type: text/plain\r\n\r\n${name}\r\n`;
  const head =
    'Content-Disposition: form-data; name="file"\r\nContent-Type: multipart/mixed; boundary=inner';
  const nested = encodeForm({ head, data: `${fileIn('a.txt')}${fileIn('b.txt')}--inner--\r\n` });
  const error = { field: 'file', error: 'must be one file only' };
  expect(await readValidationError(await postForm(`${files}/`, nested))).toEqual(error);
});
