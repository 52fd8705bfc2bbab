import { expect, test } from 'bun:test';
import { SharedPortCount } from './request-count.ts';

/** A count of requests that run as long as they are in `running`. */
function setUp() {
  const running = new Set<Request>();
  const count = new SharedPortCount((request) => running.has(request));
  const begin = () => {
    const request = new Request('http://localhost/');
    running.add(request);
    count.add(request);
    return request;
  };
  return { running, count, begin };
}

test('a count never has fewer requests than run', () => {
  const { running, count, begin } = setUp();
  const all = Array.from({ length: 500 }, begin);
  for (const request of all.slice(100, 400)) running.delete(request);
  for (let again = 0; again < 20; again += 1) {
    count.forgetEnded();
    expect(count.size).toBeGreaterThanOrEqual(running.size);
  }
  expect(count.size).toBe(200);
});

test('requests that have ended do not accumulate', () => {
  const { running, count, begin } = setUp();
  const held = Array.from({ length: 100 }, begin);
  for (let index = 0; index < 1_000; index += 1) {
    running.delete(begin());
    expect(count.size).toBeLessThanOrEqual(2 * held.length + 2);
  }
});

test('a small count is exact after one look', () => {
  const { running, count, begin } = setUp();
  const all = Array.from({ length: 64 }, begin);
  for (const request of all.slice(1)) running.delete(request);
  count.forgetEnded();
  expect(count.size).toBe(1);
  count.delete(all[0] ?? begin());
  expect(count.size).toBe(0);
});
