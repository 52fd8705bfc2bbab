import { expect, test } from 'bun:test';
import { RowEstimates } from './row-estimate.ts';
import type { MessageRow } from './timeline.ts';

function row(content: string, isGroupStart = true): MessageRow {
  return {
    kind: 'message',
    key: content,
    message: { key: content, id: undefined, author: 'Ada', content, createdAtMs: 0, isOwn: false },
    isGroupStart,
    delivery: undefined,
  };
}

test('the estimate of a row is the height of a similar one', () => {
  const estimates = new RowEstimates();
  estimates.learn(row('hello'), 61);
  expect(estimates.estimate(row('good bye'))).toBe(61);
  expect(estimates.estimate(row('good bye', false))).not.toBe(61);
  expect(estimates.estimate(row('a\nb'))).not.toBe(61);
});

test('a row keeps its estimate, whatever is learned later', () => {
  const estimates = new RowEstimates();
  const one = row('hello');
  const before = estimates.estimate(one);
  estimates.learn(row('good bye'), before + 20);
  expect(estimates.estimate(one)).toBe(before);
  expect(estimates.estimate(row('hi'))).toBe(before + 20);
});

test('the estimate of a row with many lines, or with a file, is high', () => {
  const { estimate } = { estimate: (content: string) => new RowEstimates().estimate(row(content)) };
  expect(estimate('a\n'.repeat(20))).toBeGreaterThan(estimate('a') * 5);
  expect(estimate('http://127.0.0.1:7161/12')).toBeGreaterThan(200);
});
