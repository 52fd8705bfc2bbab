import type { FileData } from '@hearth/protocol';
import { signedInSchema } from '@hearth/protocol/schemas';
import { GatewayClient } from '@hearth/testing/clients/gateway-client';
import { readHistory } from '@hearth/testing/clients/history-client';
import { photograph } from '@hearth/testing/clients/photograph';
import { eventOf, postMessage } from '@hearth/testing/clients/post-message';
import { ProfileClient } from '@hearth/testing/clients/profile-client';
import { readError } from '@hearth/testing/clients/read-error';
import { SlowUpload } from '@hearth/testing/clients/slow-upload';
import {
  encodeForm,
  filePart,
  randomBytes,
  readFileData,
  upload,
} from '@hearth/testing/clients/upload-form';
import { storedFiles } from '@hearth/testing/instances/stored-files';
import { openTestContext } from '@hearth/testing/instances/test-context';
import {
  GENEROUS_LIMITS,
  startTestInstance,
  type TestInstance,
} from '@hearth/testing/instances/test-instance';
import { afterAll, beforeAll, describe, expect, test } from 'bun:test';
import { filesService } from '../src/components/files/files.ts';
import { httpHandlers } from '../src/http/handlers.ts';
import { FailureLog } from '../src/log/failure-log.ts';
import { jsonLogger } from '../src/log/logger.ts';
import { RefusalLog } from '../src/log/refusal-log.ts';

const PASSWORD = 'correct horse battery';
const SECRET = 'private, max-age=31536000, immutable';
const IMMUTABLE = 'public, max-age=31536000, immutable';

let instance: TestInstance;
let files: string;
let rest: string;
let token: string;
let picture: FileData;

beforeAll(async () => {
  instance = await startTestInstance({ toml: `registration = "open"\n${GENEROUS_LIMITS}` });
  ({ files, rest } = instance.addresses);
  token = await registered('ada');
  picture = await uploadAs(token, await photograph({ width: 1_000, height: 600 }), 'hills.jpg');
});

afterAll(() => instance[Symbol.asyncDispose]());

async function registered(username: string): Promise<string> {
  const body = { username, email: `${username}@example.org`, password: PASSWORD };
  const answer = await fetch(`${rest}/users`, { method: 'POST', body: JSON.stringify(body) });
  return signedInSchema.parse(await answer.json()).token;
}

async function uploadAs(holder: string, bytes: string | Uint8Array, name: string) {
  const { contentType, body } = encodeForm(filePart(bytes, name));
  const headers = { 'Content-Type': contentType, Authorization: `Bearer ${holder}` };
  return readFileData(await fetch(`${files}/attachments`, { method: 'POST', headers, body }));
}

/** The forms of a file's address, below the file service. */
const FORMS = [
  '/<id>',
  '/<id>/download',
  '/<id>/data',
  '/attachments/<id>',
  '/attachments/<id>/download',
  '/attachments/<id>/data',
  '/media/<id>',
  '/media/<id>?size=96',
];

const addressOf = (form: string, { id }: Pick<FileData, 'id'>, key?: string) => {
  const address = `${files}${form.replace('<id>', id)}`;
  if (key === undefined) return address;
  return `${address}${address.includes('?') ? '&' : '?'}key=${key}`;
};

/** An answer without what differs from request to request. */
async function comparable(answer: Response): Promise<unknown> {
  const passing = /^(date|keep-alive|x-ratelimit.*)$/;
  const headers = [...answer.headers].filter(([name]) => !passing.test(name));
  return { status: answer.status, headers, body: await answer.text() };
}

describe('[FS35] a file that was uploaded with a token', () => {
  test('[FD13] a file has a random key, and only uploads with a token have one', async () => {
    const other = await uploadAs(token, 'x', 'x.txt');
    expect(picture.key).toMatch(/^[\da-f]{32}$/);
    expect(other.key).toMatch(/^[\da-f]{32}$/);
    expect(other.key).not.toBe(picture.key);
    expect(await upload(files, 'x', 'x.txt')).not.toHaveProperty('key');
  });

  test.each(FORMS)(
    'at %s is found with its key only, however often it was fetched',
    async (form) => {
      const missing = await comparable(await fetch(addressOf(form, { id: '1' })));
      expect(missing).toMatchObject({ status: 404 });
      const wrong = picture.key?.replaceAll(/./g, (digit) => (digit === 'a' ? 'b' : 'a'));
      const refused = async () => {
        for (const key of [undefined, '', 'x', wrong, `${picture.key}0`]) {
          const answer = await fetch(addressOf(form, picture, key));
          expect(await comparable(answer)).toEqual(missing);
        }
        // Its uploader needs the key too, because pages fetch pictures without a token.
        const headers = { Authorization: `Bearer ${token}` };
        expect((await fetch(addressOf(form, picture), { headers })).status).toBe(404);
      };
      await refused();
      // The first answer is remembered, and the next one comes from memory.
      for (let count = 0; count < 3; count += 1) {
        const answer = await fetch(addressOf(form, picture, picture.key));
        expect(answer.status).toBe(200);
        expect(answer.headers.get('cache-control')).toBe(SECRET);
        expect(answer.headers.get('referrer-policy')).toBe('no-referrer');
        if (form.endsWith('/data')) expect(await answer.json()).toEqual({ ...picture });
        else expect((await answer.bytes()).length).toBeGreaterThan(100);
        await refused();
      }
    },
  );

  test('a file is found with its key under If-None-Match and as a range, and not without it', async () => {
    const small = await uploadAs(token, randomBytes(1_000), 'small.bin');
    const url = addressOf('/<id>', small, small.key);
    const etag = (await fetch(url)).headers.get('etag') ?? '';
    const known = { 'If-None-Match': etag };
    const unchanged = await fetch(url, { headers: known });
    expect([unchanged.status, unchanged.headers.get('cache-control')]).toEqual([304, SECRET]);
    expect(unchanged.headers.get('referrer-policy')).toBe('no-referrer');
    const part = await fetch(url, { headers: { Range: 'bytes=0-9' } });
    expect([part.status, part.headers.get('cache-control')]).toEqual([206, SECRET]);
    for (const headers of [known, { Range: 'bytes=0-9' }]) {
      expect((await fetch(addressOf('/<id>', small), { headers })).status).toBe(404);
    }
  });

  test('a file has another key than an upload of the same bytes, which may need none', async () => {
    const bytes = randomBytes(1_000);
    const [own, open] = [await uploadAs(token, bytes, 'a'), await upload(files, bytes, 'a')];
    expect((await fetch(addressOf('/<id>', own, own.key))).status).toBe(200);
    const answer = await fetch(addressOf('/<id>', open));
    expect([answer.status, answer.headers.get('cache-control')]).toEqual([200, IMMUTABLE]);
    expect(answer.headers.has('referrer-policy')).toBe(false);
    expect((await fetch(addressOf('/<id>', own))).status).toBe(404);
    expect((await fetch(addressOf('/<id>', own, own.key))).status).toBe(200);
  });

  test('other files stay as they are, whatever key is given', async () => {
    const open = await upload(files, randomBytes(1_000));
    for (const form of FORMS.slice(0, -1)) {
      const plain = await comparable(await fetch(addressOf(form, open)));
      expect(plain).toMatchObject({ status: 200 });
      for (const key of ['', 'x', picture.key]) {
        expect(await comparable(await fetch(addressOf(form, open, key)))).toEqual(plain);
      }
    }
  });
});

describe('[FS36] a message that names a file with its key', () => {
  test('a message lists it for everyone, and its text has the address that opens it', async () => {
    const url = addressOf('/<id>', picture, picture.key);
    const plain = await GatewayClient.connect(instance.addresses.gateway);
    using profile = await ProfileClient.greeted(instance);
    const content = `look: ${url}`;
    await postMessage(instance, content);
    const [newest] = await readHistory(instance, '?limit=1');
    expect(newest).toMatchObject({ content, attachments: [picture] });
    await profile.raw.until(() => profile.payloads.length > 1);
    const event = { op: 'MESSAGE_CREATE', d: { content, attachments: [picture] } };
    expect(profile.payloads[1]).toMatchObject(event);
    await plain.until(() => plain.received.length > 0);
    expect(plain.received).toEqual([eventOf(content)]);
    plain.close();
    expect((await fetch(url)).status).toBe(200);
  });

  test.each([
    ['as a smaller picture', () => `${addressOf('/media/<id>?size=400', picture, picture.key)}!`],
    ['for saving', () => `<${addressOf('/attachments/<id>/download', picture, picture.key)}>`],
    [
      'once without it',
      () => `${addressOf('/<id>', picture)} ${addressOf('/<id>', picture, picture.key)}`,
    ],
  ])('a message may name it %s', async (_how, contentOf) => {
    await postMessage(instance, contentOf());
    expect((await readHistory(instance, '?limit=1'))[0]?.attachments).toEqual([picture]);
  });

  test('a message does not list it without its key', async () => {
    const other = await uploadAs(token, 'x', 'x.txt');
    for (const key of [undefined, other.key, `${picture.key}0`]) {
      await postMessage(instance, `look: ${addressOf('/<id>', picture, key)}`);
      expect((await readHistory(instance, '?limit=1'))[0]).not.toHaveProperty('attachments');
    }
  });
});

test('[FS37] an upload whose session ends before it is complete is refused, and nothing is stored', async () => {
  const holder = await registered('grace');
  const headers = { Authorization: `Bearer ${holder}` };
  const before = await storedFiles(instance.folder);
  const form = encodeForm(filePart(randomBytes(100_000)));
  using slow = await SlowUpload.begin(files, { client: { headers }, form });
  await slow.send(50_000);
  const ended = await fetch(`${rest}/sessions/current`, { method: 'DELETE', headers });
  expect(ended.status).toBe(200);
  const error = await readError(await slow.finish());
  expect([error.status, error.data]).toEqual([401, { code: 'token_ended' }]);
  expect(await storedFiles(instance.folder)).toEqual(before);
});

test('[FS38] no key gets into the log', async () => {
  await using opened = await openTestContext(instance);
  const lines: string[] = [];
  const log = jsonLogger('trace', (line) => lines.push(line));
  const clock = opened.clock;
  using refusals = new RefusalLog(log, clock);
  using failures = new FailureLog(log, clock);
  const base = { ...opened, log, refusals, failures };
  const failing = { ...opened.database, reader: undefined as never };
  const peer = {
    address: '192.0.2.1',
    isCrowded: false,
    allowSilence() {},
    beginTransfer: () => true,
  };
  const statuses: number[] = [];
  for (const ctx of [base, { ...base, database: failing }]) {
    const { handle } = httpHandlers(filesService(ctx), () => 'client');
    for (const form of FORMS) {
      for (const key of [picture.key, `${picture.key}0`]) {
        const request = new Request(`${addressOf(form, picture, key)}&size=5`);
        statuses.push((await handle(request, peer)).status);
      }
    }
  }
  expect(new Set(statuses)).toEqual(new Set([200, 404, 422, 500]));
  expect(lines.length).toBeGreaterThan(0);
  expect(lines.join('\n')).not.toContain(picture.key ?? 'no key');
});
