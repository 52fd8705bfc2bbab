import { expect, test } from 'bun:test';
import { fakeClock } from '@hearth/testing/fake-clock';
import { FailureLog } from './failure-log.ts';
import { jsonLogger } from './logger.ts';

type Line = Readonly<Record<string, unknown>>;

/** A log of failures, and what it has written since the last call. */
function setUp() {
  const written: Line[] = [];
  const log = jsonLogger('info', (line) => written.push(JSON.parse(line)));
  const clock = fakeClock();
  return { clock, failures: new FailureLog(log, clock), lines: () => written.splice(0) };
}

const failure = (operation: string, message: string) => ({
  level: 50,
  operation,
  err: { message },
  msg: 'request failed',
});
const summary = (operation: string, count: number) => ({
  level: 50,
  operation,
  count,
  msg: 'more requests failed',
});

test('[OP16] a flood of failures is logged as ten whole lines per operation and the number of the others, every 10 s', () => {
  const { clock, failures, lines } = setUp();
  const count = (from: number, to: number) =>
    Array.from({ length: to - from }, (_, index) => failure('Posting', `away ${from + index}`));
  for (let i = 0; i < 10_000; i += 1) failures.report(new Error(`away ${i}`), 'Posting');
  failures.report(new Error('disk'), 'Storing');
  expect(lines()).toMatchObject([...count(0, 10), failure('Storing', 'disk')]);
  clock.advance(10_000);
  expect(lines()).toMatchObject([summary('Posting', 9_990)]);
  failures.report(new Error('away 10'), 'Posting');
  expect(lines()).toMatchObject(count(10, 11));
  clock.advance(60_000);
  expect(lines()).toEqual([]);
});

test('the last counts are logged when the log is disposed, and nothing afterwards', () => {
  const { clock, failures, lines } = setUp();
  for (let i = 0; i < 11; i += 1) failures.report(new Error('away'), 'Posting');
  lines();
  failures[Symbol.dispose]();
  clock.advance(60_000);
  expect(lines()).toMatchObject([summary('Posting', 1)]);
});
