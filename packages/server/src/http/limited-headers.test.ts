import { describe, expect, test } from 'bun:test';
import { fakeClock } from '@hearth/testing/fake-clock';
import { limitHeaders } from '@hearth/testing/clients/limited-client';
import type { LimitPolicy, Verdict } from '../ports/limiter/limiter.ts';
import { LimitedHeaders } from './limited-headers.ts';

const POLICY: LimitPolicy = { resetAfterMs: 5_000, limit: 3 };
const STARTED = fakeClock().unixMs();

function verdict(requestCount: number, others: Partial<Verdict> = {}): Verdict {
  return {
    policy: POLICY,
    allowed: true,
    requestCount,
    sentBytes: 0,
    bytesLeft: 0,
    windowStartedAtMs: STARTED,
    retryAfterMs: 5_000,
    window: {},
    ...others,
  };
}

/** An answer with the headers of a request with this count. */
function answerWith(headers: LimitedHeaders, counted: Verdict): Response {
  return new Response('', { headers: headers.of(counted) });
}

/** Returns what the rate-limit headers of one answer after another say. */
function reported(verdicts: readonly Verdict[]) {
  const headers = new LimitedHeaders({});
  return verdicts.map((counted) => limitHeaders(answerWith(headers, counted)));
}

describe('the headers of a route', () => {
  test("headers are the route's own and those of the limit, each once, from the first answer on", () => {
    const headers = new LimitedHeaders({ 'Content-Type': 'text/plain', 'X-Own': 'yes' });
    for (const count of [1, 2]) {
      const answer = answerWith(headers, verdict(count));
      expect(Object.fromEntries(answer.headers)).toEqual({
        'content-type': 'text/plain',
        'x-own': 'yes',
        'x-ratelimit-reset': '5000',
        'x-ratelimit-max': '3',
        'x-ratelimit-last-reset': String(STARTED),
        'x-ratelimit-request-count': String(count),
      });
    }
  });

  test('[LI12] headers report the count of the request that they answer', () => {
    const counts = [1, 2, 3, 3, 2].map((count) => verdict(count));
    expect(reported(counts).map(({ requestCount }) => requestCount)).toEqual([1, 2, 3, 3, 2]);
  });

  test('[LI11] headers report the time frame of the request that they answer, also for a new window or another client', () => {
    const later = (count: number) => verdict(count, { windowStartedAtMs: STARTED + 5_001 });
    const frame = { reset: 5_000, max: 3 };
    expect(reported([verdict(2), later(1), verdict(3), later(2)])).toEqual([
      { ...frame, lastReset: STARTED, requestCount: 2 },
      { ...frame, lastReset: STARTED + 5_001, requestCount: 1 },
      { ...frame, lastReset: STARTED, requestCount: 3 },
      { ...frame, lastReset: STARTED + 5_001, requestCount: 2 },
    ]);
  });

  test('[LI9] headers report bytes if those are limited, and only then', () => {
    const policy: LimitPolicy = { ...POLICY, byteLimit: 1_000 };
    const counted = (sentBytes: number, others: Partial<Verdict> = {}) =>
      reported([verdict(1, { policy, sentBytes, ...others })]);
    const frame = { reset: 5_000, max: 3, lastReset: STARTED, requestCount: 1 };
    expect(counted(0)).toEqual([{ ...frame, byteMax: 1_000, sentBytes: 0 }]);
    expect(counted(999)).toEqual([{ ...frame, byteMax: 1_000, sentBytes: 999 }]);
    expect(counted(999, { policy: POLICY })).toEqual([frame]);
  });

  test('[LI13] headers report the bytes of the request that they answer', () => {
    const policy: LimitPolicy = { ...POLICY, byteLimit: 1_000 };
    const sent = [10, 20, 20, 500].map((sentBytes, at) => verdict(at + 1, { policy, sentBytes }));
    expect(reported(sent).map(({ sentBytes }) => sentBytes)).toEqual([10, 20, 20, 500]);
  });

  test('headers do not change on an earlier answer, and a header that is added to one answer is on no other', () => {
    const headers = new LimitedHeaders({});
    const first = answerWith(headers, verdict(1));
    first.headers.set('Date', 'today');
    const second = answerWith(headers, verdict(2));
    const third = answerWith(headers, verdict(1, { windowStartedAtMs: STARTED + 5_001 }));
    const answers = [first, second, third];
    expect(answers.map((answer) => limitHeaders(answer).requestCount)).toEqual([1, 2, 1]);
    expect(limitHeaders(first).lastReset).toBe(STARTED);
    expect(answers.map((answer) => answer.headers.get('date'))).toEqual(['today', null, null]);
  });
});
