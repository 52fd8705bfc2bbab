import { afterAll, beforeAll, describe, expect, test } from 'bun:test';
import { fixtureBytes, fixtures } from '@hearth/testing/media/fixtures';
import { startTestInstance, type TestInstance } from '@hearth/testing/instances/test-instance';
import {
  encodeForm,
  filePart,
  postForm,
  randomBytes,
  readFileData,
  upload,
} from '@hearth/testing/clients/upload-form';

let instance: TestInstance;
let files: string;

beforeAll(async () => {
  instance = await startTestInstance();
  files = instance.addresses.files;
});

afterAll(() => instance[Symbol.asyncDispose]());

const named = (type: string) =>
  fixtures.filter(({ facts }) => facts.metadata.type === type).map(({ name }) => name);

/** Uploads a fixture under a misleading name, and reads how it is stored and served. */
async function expectFacts(name: string): Promise<void> {
  const bytes = await fixtureBytes(name);
  const facts = fixtures.find((fixture) => fixture.name === name)?.facts;
  const data = await upload(files, bytes, 'misleading.txt');
  expect<unknown>(data.metadata).toEqual(facts?.metadata);
  const answer = await fetch(`${files}/${data.id}`);
  expect(answer.headers.get('content-type')).toBe(facts?.contentType ?? '');
  expect(await answer.bytes()).toEqual(Uint8Array.from(bytes));
}

test.each(named('image'))('[FD3][FD4][FD5][FD6] %s is an image of its stored size', expectFacts);
test.each(named('video'))('[FD3][FD4][FD5][FD7] %s is a video of its size', expectFacts);
test.each(named('other'))('[FD3][FD4][FD5] %s is other, with its own content type', expectFacts);

test.each([
  ...['palette.png', 'baseline.jpg', 'still.gif', 'lossy.webp', 'still.avif'],
  ...['moov-first.mp4', 'moov-last.mp4', 'vp8.webm', 'quicktime.mov'],
])(
  '[FD8] %s that is cut off at any place is stored, as other if its size is lost',
  async (name) => {
    const bytes = await fixtureBytes(name);
    const whole = await upload(files, bytes);
    const types = new Set<string>();
    const step = Math.ceil(bytes.length / 20);
    for (let end = 1; end < bytes.length; end += end < 30 ? 1 : step) {
      const { id, metadata } = await upload(files, bytes.subarray(0, end));
      if (metadata.type !== 'other' && metadata.type !== 'text') {
        expect<unknown>(metadata).toEqual(whole.metadata);
      }
      types.add(metadata.type);
      const answer = await fetch(`${files}/${id}`);
      expect(await answer.bytes()).toEqual(Uint8Array.from(bytes.subarray(0, end)));
    }
    expect(types).toContain('other');
  },
);

describe('[FD5][FS22] text', () => {
  const page = '<!doctype html><script>alert(1)</script>';
  const drawing = '<svg xmlns="http://www.w3.org/2000/svg"><script>alert(1)</script></svg>';

  test.each<[what: string, content: string]>([
    ['a letter', 'good evening\n'],
    ['other scripts', 'καλησπέρα 山 💾'],
    ['with a byte order mark', '\ufeffgood evening'],
    ['a web page', page],
    ['a script', '#!/bin/sh\nrm -rf /\n'],
    ['JSON', '{"a":1}'],
    ['XML', '<?xml version="1.0"?><a/>'],
    ['XHTML', `<?xml version="1.0"?><html xmlns="http://www.w3.org/1999/xhtml">${page}</html>`],
    ['a page with a drawing', `${page}${drawing}`],
  ])('text is served as plain text: %s', async (_what, content) => {
    for (const name of ['a.txt', 'page.html', 'page.svg', 'picture.png']) {
      const { id, metadata } = await upload(files, content, name);
      expect(metadata).toEqual({ type: 'text' });
      const answer = await fetch(`${files}/${id}`);
      expect(answer.headers.get('content-type')).toBe('text/plain; charset=utf-8');
      expect(Buffer.from(await answer.arrayBuffer()).toString()).toBe(content);
    }
  });

  test('that is an SVG picture is served as a picture', async () => {
    const { id, metadata } = await upload(files, drawing, 'a.txt');
    expect(metadata).toEqual({ type: 'text' });
    expect((await fetch(`${files}/${id}`)).headers.get('content-type')).toBe('image/svg+xml');
  });

  test.each(['', '/download'])(
    '[FS23] text can do no harm at %j, whatever it contains',
    async (suffix) => {
      for (const content of [page, drawing, '%PDF-1.7 <script>', 'MZ\0\0 program']) {
        const { id } = await upload(files, content, 'page.html');
        const answer = await fetch(`${files}/${id}${suffix}`);
        expect(answer.headers.get('x-content-type-options')).toBe('nosniff');
        const policy = answer.headers.get('content-security-policy')?.split('; ');
        expect(policy).toContain("default-src 'none'");
        expect(policy).toContain('sandbox');
        expect(policy?.filter((part) => /script|allow-|unsafe-eval/.test(part))).toEqual([]);
        expect(answer.headers.get('cross-origin-resource-policy')).toBe('cross-origin');
        expect(answer.headers.get('content-type')).not.toMatch(/html|xml;|script/);
      }
    },
  );
});

test('[FD5] neither a name nor a claimed type decides the type', async () => {
  const bytes = randomBytes(100);
  const head = 'Content-Disposition: form-data; name="file"; filename="hills.png"';
  for (const type of ['image/png', 'text/plain', 'text/html', 'video/mp4', 'nonsense', '']) {
    const form = encodeForm({ head: `${head}\r\nContent-Type: ${type}`, data: bytes });
    const { id, metadata } = await readFileData(await postForm(`${files}/`, form));
    expect(metadata).toEqual({ type: 'other' });
    const answer = await fetch(`${files}/${id}`);
    expect(answer.headers.get('content-type')).toBe('application/octet-stream');
  }
});

test('[FD3][FD5] a text of any length is text, and other if a single byte is not', async () => {
  const long = 'good evening\n'.repeat(300_000);
  const { body } = encodeForm(filePart(long));
  expect(body.length).toBeGreaterThan(3_900_000);
  expect((await upload(files, long)).metadata).toEqual({ type: 'text' });
  for (const byte of ['\0', '\xff']) {
    const broken = Buffer.concat([Buffer.from(long), Buffer.from(byte, 'latin1')]);
    expect((await upload(files, broken)).metadata).toEqual({ type: 'other' });
  }
});
