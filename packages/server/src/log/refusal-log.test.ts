import { expect, test } from 'bun:test';
import { fakeClock } from '@hearth/testing/fake-clock';
import { jsonLogger } from './logger.ts';
import { RefusalLog } from './refusal-log.ts';

type Line = Readonly<Record<string, unknown>>;

/** A log at `level`, and what it has written since the last call. */
function setUp(level: 'info' | 'debug' = 'info') {
  const written: Line[] = [];
  const log = jsonLogger(level, (line) => {
    const { time: _time, ...entry }: Line = JSON.parse(line);
    written.push(entry);
  });
  const clock = fakeClock();
  const summaries = () => written.splice(0);
  return { clock, refusals: new RefusalLog(log, clock), summaries };
}

const summary = (refusal: string, count: number) => ({
  level: 30,
  refusal,
  count,
  msg: 'refusals',
});

test('a flood of refusals is logged as one line per class every 10 s', () => {
  const { clock, refusals, summaries } = setUp();
  for (let i = 0; i < 10_000; i += 1) refusals.count('RateLimitedError', `client ${i}`);
  refusals.count('NotFoundError', 'client');
  clock.advance(9_900);
  expect(summaries()).toEqual([]);
  clock.advance(100);
  expect(summaries()).toEqual([summary('RateLimitedError', 10_000), summary('NotFoundError', 1)]);
});

test('each period counts separately, and one without refusals writes nothing', () => {
  const { clock, refusals, summaries } = setUp();
  refusals.count('NotFoundError', 'client');
  clock.advance(10_000);
  expect(summaries()).toEqual([summary('NotFoundError', 1)]);
  clock.advance(60_000);
  expect(summaries()).toEqual([]);
  refusals.count('NotFoundError', 'client');
  refusals.count('NotFoundError', 'client');
  clock.advance(10_000);
  expect(summaries()).toEqual([summary('NotFoundError', 2)]);
});

test('addresses of clients are written at debug level only', () => {
  const quiet = setUp();
  quiet.refusals.count('NotFoundError', '192.0.2.1');
  quiet.clock.advance(10_000);
  expect(JSON.stringify(quiet.summaries())).not.toContain('192.0.2.1');
  const verbose = setUp('debug');
  verbose.refusals.count('NotFoundError', '192.0.2.1');
  const refused = { level: 20, refusal: 'NotFoundError', client: '192.0.2.1', msg: 'refused' };
  expect(verbose.summaries()).toEqual([refused]);
});

test('the last counts are written when the log is disposed, and nothing afterwards', () => {
  const { clock, refusals, summaries } = setUp();
  refusals.count('NotFoundError', 'client');
  refusals[Symbol.dispose]();
  expect(summaries()).toEqual([summary('NotFoundError', 1)]);
  refusals.count('NotFoundError', 'client');
  clock.advance(60_000);
  expect(summaries()).toEqual([]);
});
