import { afterAll, beforeAll, describe, expect, test } from 'bun:test';
import { createHash } from 'node:crypto';
import { RawConnection, rawRequest, requestLines } from '../clients/raw-http.ts';
import { readError } from '../clients/read-error.ts';
import { randomBytes, upload } from '../clients/upload-form.ts';

const SMALL = randomBytes(1_000);
const LARGE = randomBytes(6 * 1024 * 1024);
/** The most bytes that are held in memory of a content that is not on this machine. */
const HELD_BYTES = 256 * 1024;
const IMMUTABLE = 'public, max-age=31536000, immutable';

/** The instance that the downloads are tested on. */
export interface DownloadsInstance extends AsyncDisposable {
  /** The address of the file service. */
  readonly files: string;
  addStatic(name: string, bytes: Uint8Array): Promise<void>;
}

const kinds = [
  ['small attachment', SMALL, IMMUTABLE],
  ['large attachment', LARGE, IMMUTABLE],
  ['small attachment by its alias', SMALL, IMMUTABLE],
  ['large attachment by its alias', LARGE, IMMUTABLE],
  ['small static file', SMALL, 'no-cache'],
  ['large static file', LARGE, 'no-cache'],
] as const;

/** Everything in an answer except its time and the counts of the rate limit. */
function headersOf(answer: Response): Record<string, string> {
  const { date: _date, ...headers } = Object.fromEntries(answer.headers);
  const passing = (name: string) => name.startsWith('x-ratelimit') || name === 'keep-alive';
  return Object.fromEntries(Object.entries(headers).filter(([name]) => !passing(name)));
}

/**
 * Proves what a client may rely on when it downloads contents, whichever store keeps them. `areLargeStreamed`: a
 * content that is larger than {@link HELD_BYTES} comes in chunks.
 */
export function downloadsContract(
  name: string,
  start: () => Promise<DownloadsInstance>,
  { skip = false, areLargeStreamed = false } = {},
): void {
  describe.skipIf(skip)(name, () => {
    let instance: DownloadsInstance;
    let files: string;
    let paths: Readonly<Record<string, string>>;

    beforeAll(async () => {
      instance = await start();
      ({ files } = instance);
      await instance.addStatic('small.bin', SMALL);
      await instance.addStatic('large.bin', LARGE);
      const small = (await upload(files, SMALL, 'small.bin')).id;
      const large = (await upload(files, LARGE, 'large.bin')).id;
      paths = {
        'small attachment': `/attachments/${small}`,
        'large attachment': `/attachments/${large}`,
        'small attachment by its alias': `/${small}`,
        'large attachment by its alias': `/${large}`,
        'small static file': '/static/small.bin',
        'large static file': '/static/large.bin',
      };
    });

    afterAll(() => instance[Symbol.asyncDispose]());

    describe.each(kinds)('a %s', (kind, bytes, cacheControl) => {
      const size = bytes.length;
      const etag = `"${createHash('sha256').update(bytes).digest('hex')}"`;
      const name = size === SMALL.length ? 'small.bin' : 'large.bin';
      const common = {
        'accept-ranges': 'bytes',
        'access-control-allow-origin': '*',
        'access-control-expose-headers': expect.stringContaining('ETag'),
        'cache-control': cacheControl,
        'content-security-policy': expect.stringMatching(/^default-src 'none';.* sandbox$/),
        'cross-origin-resource-policy': 'cross-origin',
        etag,
        'x-content-type-options': 'nosniff',
      };
      const described = {
        ...common,
        'content-disposition': `inline; filename=${name}`,
        'content-type': 'application/octet-stream',
      };
      const lengthOf = (sizeBytes: number) =>
        areLargeStreamed && sizeBytes > HELD_BYTES
          ? { 'transfer-encoding': 'chunked' }
          : { 'content-length': String(sizeBytes) };
      const whole = { ...described, ...lengthOf(size) };
      const head = { ...described, 'content-length': String(size) };
      const get = (headers: readonly string[] = [], { method = 'GET', suffix = '' } = {}) =>
        rawRequest(files, requestLines(method, `${paths[kind]}${suffix}`, ...headers));

      test('[FS2][FS5][FS23][FS24][FS25][FS26] a file comes byte for byte with all its headers', async () => {
        const answer = await get();
        expect(answer.status).toBe(200);
        expect(headersOf(answer)).toEqual(whole);
        expect(Buffer.from(await answer.arrayBuffer()).equals(bytes)).toBe(true);
      });

      test('[FS2][FS5] a file comes the same for saving, except for its Content-Disposition', async () => {
        const answer = await get([], { suffix: '/download' });
        const disposition = `attachment; filename=${name}`;
        expect(headersOf(answer)).toEqual({ ...whole, 'content-disposition': disposition });
        expect(Buffer.from(await answer.arrayBuffer()).equals(bytes)).toBe(true);
      });

      test.each(['', '/download'])(
        '[FS24][HT4] HEAD with %j is answered like GET, without a body',
        async (suffix) => {
          const disposition = `${suffix === '' ? 'inline' : 'attachment'}; filename=${name}`;
          for (const headers of [[], ['Range: bytes=0-9'], ['Range: bytes=99999999-']]) {
            const answer = await get(headers, { method: 'HEAD', suffix });
            expect(answer.status).toBe(200);
            expect(headersOf(answer)).toEqual({ ...head, 'content-disposition': disposition });
          }
        },
      );

      test('[FS24] a file can be fetched after an answer to HEAD on the same connection', async () => {
        using connection = await RawConnection.connect(files);
        await connection.send(requestLines('HEAD', `${paths[kind]}`));
        expect((await connection.answer({ toHead: true })).status).toBe(200);
        await connection.send(requestLines('GET', `${paths[kind]}`, 'Range: bytes=0-9'));
        const answer = await connection.answer();
        expect(Buffer.from(await answer.arrayBuffer())).toEqual(bytes.subarray(0, 10));
      });

      test.each<[range: string, start: number, end: number]>([
        ['bytes=0-0', 0, 1],
        ['bytes=10-19', 10, 20],
        ['bytes=0-', 0, size],
        [`bytes=${size - 1}-`, size - 1, size],
        ['bytes=-7', size - 7, size],
        [`bytes=-${size + 5}`, 0, size],
        [`bytes=500-${size + 500}`, 500, size],
      ])('[FS24] the range %j is answered with 206 and that range', async (range, start, end) => {
        for (const conditions of [[], [`If-Range: ${etag}`], ['If-None-Match: "other"']]) {
          const answer = await get([`Range: ${range}`, ...conditions]);
          expect(answer.status).toBe(206);
          expect(headersOf(answer)).toEqual({
            ...described,
            ...lengthOf(end - start),
            'content-range': `bytes ${start}-${end - 1}/${size}`,
          });
          const part = Buffer.from(await answer.arrayBuffer());
          expect(part.equals(bytes.subarray(start, end))).toBe(true);
        }
      });

      test.each([`bytes=${size}-`, `bytes=${size}-${size + 1}`, 'bytes=-0'])(
        '[FS24][FS26] the range %j, which is outside of the file, is answered with 416 and its size',
        async (range) => {
          const answer = await get([`Range: ${range}`]);
          expect(answer.headers.get('content-range')).toBe(`bytes */${size}`);
          expect(answer.headers.get('cache-control')).toBe('no-store');
          expect((await readError(answer)).status).toBe(416);
        },
      );

      test.each<[headers: string[]]>([
        [['Range: bytes=0-0,5-9']],
        [['Range: bytes=9-0']],
        [['Range: lines=0-9']],
        [['Range: nonsense']],
        [['Range: bytes=0-0', 'Range: bytes=5-9']],
        [['Range: bytes=0-9', 'If-Range:']],
        [['Range: bytes=0-9', 'If-Range: "other"']],
        [['Range: bytes=0-9', `If-Range: W/${etag}`]],
        [['Range: bytes=0-9', 'If-Range: Sat, 21 Nov 2026 08:00:00 GMT']],
        [[`Range: bytes=${size}-`, 'If-Range: "other"']],
      ])(
        '[FS24][FS25] a request for %j is answered with 200 and the whole content',
        async (headers) => {
          const answer = await get(headers);
          expect(answer.status).toBe(200);
          const { 'content-range': range, ...others } = headersOf(answer);
          expect(others).toEqual(whole);
          expect(range).toBe(`bytes 0-${size - 1}/${size}`);
          expect(Buffer.from(await answer.arrayBuffer()).equals(bytes)).toBe(true);
        },
      );

      test.each([etag, `W/${etag}`, `"other", ${etag}`, '*'])(
        '[FS25] a request with If-None-Match %j is answered with 304',
        async (value) => {
          for (const method of ['GET', 'HEAD']) {
            const answer = await get([`If-None-Match: ${value}`, 'Range: bytes=0-9'], { method });
            expect(answer.status).toBe(304);
            expect(headersOf(answer)).toEqual(common);
          }
        },
      );

      test('[FS25] a request with an If-None-Match that names another file is answered with 200', async () => {
        const answer = await get(['If-None-Match: "other", W/"another"']);
        expect([answer.status, headersOf(answer)]).toEqual([200, whole]);
      });
    });

    test('[FS16] a client that downloads slowly does not delay others', async () => {
      using slow = await RawConnection.connect(files);
      await slow.send(requestLines('GET', `${paths['large attachment']}`));
      const other = await fetch(files + paths['large attachment']);
      expect(Buffer.from(await other.arrayBuffer()).equals(LARGE)).toBe(true);
      const answer = await slow.answer();
      expect(Buffer.from(await answer.arrayBuffer()).equals(LARGE)).toBe(true);
    });

    test('[FS19][FS20] a download that its client breaks off does not affect others', async () => {
      for (let round = 0; round < 20; round += 1) {
        using connection = await RawConnection.connect(files);
        await connection.send(requestLines('GET', `${paths['large attachment']}`));
      }
      const answer = await fetch(files + paths['large attachment']);
      expect(Buffer.from(await answer.arrayBuffer()).equals(LARGE)).toBe(true);
    });
  });
}
