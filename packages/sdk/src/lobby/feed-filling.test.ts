import type { LobbyMessage } from '@hearth/protocol';
import { parseId } from '@hearth/protocol';
import { describe, expect, test } from 'bun:test';
import { manualClock, settled } from '@hearth/testing/manual-clock';
import { NetworkError, NotFoundError, ServerError, UnexpectedAnswerError } from '../errors.ts';
import type { Gap } from '../types.ts';
import { LobbyFeed } from './feed.ts';

function message(number: number): LobbyMessage {
  const id = parseId(String(number));
  if (id === undefined) throw new Error('an identifier');
  return { id, author: 'ada', content: `no. ${number}`, created_at: 0 };
}

const hello = { v: 1, heartbeat_interval: 45_000, epoch: 'e', recovered: false };

/** A feed that had message 1 at position 1, was away, and is back at position 3 with a history that answers like this. */
async function away(answer: () => Promise<readonly LobbyMessage[]>) {
  const clock = manualClock();
  const delivered: string[] = [];
  const gaps: Gap[] = [];
  let isReady = false;
  const feed = new LobbyFeed({
    history: { listMessages: () => (isReady ? answer() : Promise.resolve([])) },
    clock,
    random: () => 1,
    caughtUp: () => Promise.resolve(),
    onMessage: ({ content }) => delivered.push(content),
    onGap: (gap) => gaps.push(gap),
    onCurrent: () => undefined,
  });
  await feed.prepare(new AbortController().signal);
  isReady = true;
  feed.opened({ ...hello, s: 0 });
  feed.event({ op: 'MESSAGE_CREATE', s: 1, d: message(1) });
  feed.left();
  await clock.advance(500);
  expect(feed.opened({ ...hello, s: 3 })).toBe(false);
  const live = (s: number) => feed.event({ op: 'MESSAGE_CREATE', s, d: message(s) });
  return { clock, delivered, gaps, feed, live };
}

test('a filling that is stopped reports no gap: the next one starts where it started', async () => {
  let answer: (messages: readonly LobbyMessage[]) => void = () => undefined;
  const { delivered, gaps, feed } = await away(
    () =>
      new Promise((resolve) => {
        answer = resolve;
      }),
  );
  // A whole page that does not begin with message 1, with nothing stored before it.
  answer(Array.from({ length: 100 }, (_, index) => message(200 - index)));
  await Promise.resolve();
  feed.left();
  await settled();
  answer([]);
  await settled();
  expect([delivered, gaps]).toEqual([['no. 1'], []]);
});

test('a gateway that continues at another position than the last one is not believed', async () => {
  let newest = 3;
  const { delivered, gaps, feed, live } = await away(async () =>
    [newest, newest - 1, newest - 2].map((number) => message(number)),
  );
  await settled();
  feed.left();
  newest = 5;
  expect(feed.opened({ ...hello, s: 5 })).toBe(false);
  await settled();
  live(6);
  expect([delivered, gaps]).toEqual([['no. 1', 'no. 2', 'no. 3', 'no. 4', 'no. 5', 'no. 6'], []]);
});

test('a history that answers the same again and again is abandoned, with a gap', async () => {
  const same = Array.from({ length: 100 }, (_, index) => message(100 - index));
  let asked = 0;
  const { delivered, gaps, live, feed } = await away(async () => {
    asked += 1;
    // Otherwise the test would never end.
    if (asked > 20) feed.left();
    return same;
  });
  await settled();
  live(4);
  expect(asked).toBeLessThan(5);
  expect(delivered).toHaveLength(100);
  expect(gaps).toHaveLength(1);
});

test('a stream that has gone back cannot be known completely', async () => {
  const { gaps, feed } = await away(async () => []);
  await settled();
  expect(gaps).toHaveLength(1);
  feed.left();
  // Of the same epoch, but before a position that has already come.
  feed.opened({ ...hello, s: 1 });
  await settled();
  expect(gaps).toHaveLength(2);
});

describe('a history that does not answer', () => {
  test.each([
    ['cannot be reached', new NetworkError('away')],
    ['fails', new ServerError('no', 'Reading failed')],
    ['has a proxy that fails', new UnexpectedAnswerError('no', { status: 502 })],
  ])(
    'and %s is retried for a minute; then the live messages come after a gap',
    async (_how, error) => {
      let asked = 0;
      const { clock, delivered, gaps, live } = await away(async () => {
        asked += 1;
        throw error;
      });
      live(4);
      await clock.advance(59_000);
      expect([delivered, gaps]).toEqual([['no. 1'], []]);
      expect(asked).toBeGreaterThan(5);
      await clock.advance(60_000);
      expect(delivered).toEqual(['no. 1', 'no. 4']);
      expect(gaps).toHaveLength(1);
      expect(gaps[0]).toMatchObject({ afterId: message(1).id });
      expect((gaps[0]?.untilMs ?? 0) - (gaps[0]?.fromMs ?? 0)).toBeGreaterThan(60_000);
      live(5);
      expect(delivered).toEqual(['no. 1', 'no. 4', 'no. 5']);
      expect(clock.timers).toBe(0);
    },
  );

  test.each([
    ['has no such route', new NotFoundError('no')],
    ['answers something else', new UnexpectedAnswerError('no', { status: 200 })],
  ])('because it %s leaves a gap at once', async (_how, error) => {
    const { delivered, gaps, live } = await away(() => Promise.reject(error));
    live(4);
    await settled();
    expect([delivered, gaps.length]).toEqual([['no. 1', 'no. 4'], 1]);
  });
});

test('live messages are read from the history if more arrive than may wait', async () => {
  const MOST = 10_000;
  let answer: (messages: readonly LobbyMessage[]) => void = () => undefined;
  const asked: number[] = [];
  const { delivered, gaps, live } = await away(() => {
    asked.push(asked.length);
    return new Promise((resolve) => {
      answer = resolve;
    });
  });
  for (let s = 4; s <= MOST + 4; s += 1) live(s);
  await settled();
  answer([message(3), message(2), message(1)]);
  await settled();
  // Those that could not wait are requested.
  expect(asked).toHaveLength(2);
  answer([message(4), message(3)]);
  await settled();
  expect(gaps).toEqual([]);
  expect(delivered).toEqual(Array.from({ length: MOST + 4 }, (_, index) => `no. ${index + 1}`));
});

test('a page is read again if there were more changes meanwhile than may wait', async () => {
  const MOST = 10_000;
  const answers: ((messages: readonly LobbyMessage[]) => void)[] = [];
  const { delivered, gaps, feed } = await away(
    () => new Promise((resolve) => answers.push(resolve)),
  );
  feed.event({ op: 'MESSAGE_DELETE', s: 4, d: { id: message(2).id } });
  feed.event({ op: 'MESSAGE_UPDATE', s: 5, d: { ...message(3), content: 'changed' } });
  for (let s = 6; s <= MOST + 4; s += 1) {
    feed.event({ op: 'MESSAGE_DELETE', s, d: { id: message(s).id } });
  }
  feed.event({ op: 'MESSAGE_UPDATE', s: MOST + 5, d: message(MOST + 5) });
  answers[0]?.([message(3), message(2), message(1)]);
  await settled();
  expect([delivered, answers.length]).toEqual([['no. 1'], 2]);
  answers[1]?.([{ ...message(3), content: 'as it is now' }, message(1)]);
  await settled();
  expect([delivered, gaps]).toEqual([['no. 1', 'as it is now'], []]);
});

test('an event that is missing in between is read from the history', async () => {
  const { delivered, gaps, live } = await away(async () => [message(3), message(2), message(1)]);
  await settled();
  expect(delivered).toHaveLength(3);
  live(4);
  expect(delivered).toHaveLength(4);
  live(4);
  live(3);
  expect(delivered).toHaveLength(4);
  expect(gaps).toEqual([]);
});
