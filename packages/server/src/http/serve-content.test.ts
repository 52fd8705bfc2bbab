import { RangeNotSatisfiableError } from '@hearth/protocol';
import { describe, expect, test } from 'bun:test';
import fc from 'fast-check';
import { statSync } from 'node:fs';
import { planDelivery, serveContent, type Delivery } from './serve-content.ts';

const ETAG = '"5f70bf18a086007016e948b04aed3b82103a36bea41755b6cddfaf10ace3c6ef"';
const SIZE = 1_000;
const WHOLE: Delivery = { type: 'whole' };
const NOT_MODIFIED: Delivery = { type: 'not-modified' };

const part = (start: number, end: number): Delivery => ({ type: 'part', range: { start, end } });
const plan = (headers: Record<string, string>, sizeBytes = SIZE) =>
  planDelivery(new Headers(headers), sizeBytes, ETAG);

describe('[FS24] a Range', () => {
  test.each<[range: string, delivery: Delivery]>([
    ['bytes=0-0', part(0, 1)],
    ['bytes=0-499', part(0, 500)],
    ['bytes=500-999', part(500, 1_000)],
    ['bytes=999-999', part(999, 1_000)],
    ['bytes=0-', part(0, 1_000)],
    ['bytes=999-', part(999, 1_000)],
    ['bytes=10-5000', part(10, 1_000)],
    ['bytes=10-99999999999999999999999', part(10, 1_000)],
    ['bytes=-1', part(999, 1_000)],
    ['bytes=-1000', part(0, 1_000)],
    ['bytes=-5000', part(0, 1_000)],
    ['bytes=-99999999999999999999999', part(0, 1_000)],
    ['BYTES=1-2', part(1, 3)],
    [' bytes=1-2 ', part(1, 3)],
    ['bytes=001-002', part(1, 3)],
  ])('%j is obeyed', (range, delivery) => {
    expect(plan({ range })).toEqual(delivery);
  });

  test.each(['bytes=1000-', 'bytes=1000-1001', 'bytes=99999999999999999999999-', 'bytes=-0'])(
    '%j is outside of the content',
    (range) => {
      expect(() => plan({ range })).toThrow(new RangeNotSatisfiableError(SIZE));
    },
  );

  test.each([
    ...['', 'bytes', 'bytes=', 'bytes=-', 'bytes=5-4', 'bytes=a-b', 'bytes=1-b', 'bytes=0x1-2'],
    ...['bytes=1.0-2', 'bytes=+1-2', 'bytes=--1', 'bytes=1-2-3', 'bytes 1-2', '1-2', 'lines=1-2'],
    ...['bytes=0-0,5-5', 'bytes=0-1, -1', 'bytes=,1-2', 'bytes=1-2,', '=1-2', 'bytes = 1 - 2'],
    ...['bytes= 1-2', 'bytes=1 -2', 'bytes=1- 2', 'bytes=1 0-2 0', 'bytes =1-2'],
  ])('%j is answered with the whole content', (range) => {
    expect(plan({ range })).toEqual(WHOLE);
  });

  test.each(['bytes=0-0', 'bytes=0-', 'bytes=-1'])(
    '%j of an empty file is outside of it',
    (range) => {
      expect(() => plan({ range }, 0)).toThrow(new RangeNotSatisfiableError(0));
      expect(plan({}, 0)).toEqual(WHOLE);
    },
  );

  // Once this took minutes, which the test does not have.
  test('a Range of thousands of blanks is answered with the whole content at once', () => {
    const blanks = ' '.repeat(15_000);
    for (const range of [
      `bytes=${blanks}-${blanks}x`,
      `bytes=1-2${blanks}x`,
      `bytes=-${blanks}x`,
    ]) {
      expect(plan({ range })).toEqual(WHOLE);
    }
  });

  test('a Range never reaches beyond the content', () => {
    const position = fc.option(fc.nat({ max: 3_000 }), { nil: '' });
    fc.assert(
      fc.property(position, position, fc.nat({ max: 1_500 }), (first, last, size) => {
        try {
          const delivery = plan({ range: `bytes=${first}-${last}` }, size);
          if (delivery.type !== 'part') return;
          const { start, end } = delivery.range;
          expect(start).toBeGreaterThanOrEqual(0);
          expect(end).toBeGreaterThan(start);
          expect(end).toBeLessThanOrEqual(size);
        } catch (error) {
          expect(error).toBeInstanceOf(RangeNotSatisfiableError);
        }
      }),
    );
  });
});

describe('[FS25] If-Range', () => {
  const range = 'bytes=0-9';

  test.each([ETAG, ` ${ETAG} `])('%j allows the range', (ifRange) => {
    expect(plan({ range, 'if-range': ifRange })).toEqual(part(0, 10));
  });

  test.each(['"other"', `W/${ETAG}`, ETAG.slice(1, -1), 'Sat, 21 Nov 2026 08:00:00 GMT', '', '*'])(
    '%j is answered with the whole content',
    (ifRange) => {
      expect(plan({ range, 'if-range': ifRange })).toEqual(WHOLE);
      expect(plan({ range: 'bytes=5000-', 'if-range': ifRange })).toEqual(WHOLE);
    },
  );

  test('without a Range has no effect', () => {
    expect(plan({ 'if-range': ETAG })).toEqual(WHOLE);
  });
});

describe('[FS25] If-None-Match', () => {
  test.each([
    ...[ETAG, `W/${ETAG}`, '*', ` ${ETAG} `, `"a", ${ETAG}`, `${ETAG},"b"`, `W/"a",W/${ETAG} ,"b"`],
    `"a,b", ${ETAG}`,
  ])('%j names it', (ifNoneMatch) => {
    expect(plan({ 'if-none-match': ifNoneMatch })).toEqual(NOT_MODIFIED);
  });

  test.each(['"other"', '"a", "b"', '', ETAG.slice(1, -1), `w/${ETAG}`, ETAG.toUpperCase(), '"*"'])(
    '%j does not name it',
    (ifNoneMatch) => {
      expect(plan({ 'if-none-match': ifNoneMatch })).toEqual(WHOLE);
    },
  );

  test('If-None-Match takes precedence over a Range, even over one outside of the content', () => {
    const headers = { 'if-none-match': ETAG, range: 'bytes=5000-' };
    expect(plan(headers)).toEqual(NOT_MODIFIED);
    expect(plan({ 'if-none-match': '"other"', range: 'bytes=1-2' })).toEqual(part(1, 3));
  });
});

describe('an answer', () => {
  const content = {
    source: { at: 'disk', path: import.meta.path },
    sizeBytes: statSync(import.meta.path).size,
    contentType: 'image/png',
    name: 'hills.png',
    sha256: ETAG.slice(1, -1),
    disposition: 'inline',
    isImmutable: true,
  } as const;
  const serve = (headers: Record<string, string>) =>
    serveContent(new Request('http://localhost/1', { headers }), content, {
      'X-RateLimit-Max': '30',
    });

  test('[FS24] with a part reports which part it is and the size of the whole content', async () => {
    const answer = await serve({ range: 'bytes=10-19' });
    expect(answer.status).toBe(206);
    expect(answer.headers.get('content-range')).toBe(`bytes 10-19/${content.sizeBytes}`);
  });

  test('[FS25] that reports no change has no body and no headers that describe one', async () => {
    const answer = await serve({ 'if-none-match': ETAG });
    expect(answer.status).toBe(304);
    expect(answer.headers.get('etag')).toBe(ETAG);
    expect(answer.headers.get('content-type')).toBeNull();
    expect(answer.headers.get('content-disposition')).toBeNull();
    expect(await answer.text()).toBe('');
  });

  test.each([{}, { range: 'bytes=0-9' }, { 'if-none-match': ETAG }])(
    '[FS23][FS26] to %j has the headers that protect its reader and control caches',
    async (headers) => {
      const answer = await serve(headers);
      expect(answer.headers.get('x-content-type-options')).toBe('nosniff');
      expect(answer.headers.get('content-security-policy')).toMatch(
        /^default-src 'none';.* sandbox$/,
      );
      expect(answer.headers.get('cross-origin-resource-policy')).toBe('cross-origin');
      expect(answer.headers.get('cache-control')).toBe('public, max-age=31536000, immutable');
      expect(answer.headers.get('x-ratelimit-max')).toBe('30');
    },
  );
});
