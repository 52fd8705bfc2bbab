import { RateLimitedError } from '@hearth/protocol';
import { describe, expect, test } from 'bun:test';
import type { EmittingTransaction } from './emitting-transaction.ts';
import type { WriteBounds } from './write-bounds.ts';
import { DroppedOut, type Outcome, type Writing } from './write-queue.ts';
import { KEPT_FREE_AFTER_MS, WriteQueues } from './write-queues.ts';

/** The database is away. */
class Away extends Error {}

/** Transactions that begin, commit and hand over when a test says so. */
function held({
  atOnce = 8,
  bounds = {},
}: { atOnce?: number; bounds?: Partial<WriteBounds> } = {}) {
  let nowMs = 0;
  const begun: string[][] = [];
  const steps: { begin: () => void; commit: (error?: Error) => void; publish: () => void }[] = [];
  let calls: string[] = [];
  const queues = new WriteQueues({
    async transaction(work, options) {
      const [begin, commit, publish] = [
        Promise.withResolvers<void>(),
        Promise.withResolvers<void>(),
        Promise.withResolvers<void>(),
      ];
      steps.push({
        begin: begin.resolve,
        commit: (error) => (error === undefined ? commit.resolve() : commit.reject(error)),
        publish: publish.resolve,
      });
      await begin.promise;
      calls = [];
      // Guarantee: the work below calls no transaction.
      const result = await work({} as EmittingTransaction);
      begun.push(calls);
      await commit.promise;
      options.onCommit?.();
      await publish.promise;
      return result;
    },
    atOnce,
    nowMs: () => nowMs,
    failureOf: (error) => (error instanceof Away ? error : undefined),
    bounds,
  });
  const done: string[] = [];
  const upper = async (_: unknown, all: readonly string[]) => {
    calls.push(...all);
    const outcomes = new Map<number, Outcome>();
    for (const [at, call] of all.entries()) {
      if (call.startsWith('refused')) outcomes.set(at, { error: new Error(call) });
      if (call.startsWith('known')) outcomes.set(at, { result: 'KNOWN' });
      if (call.startsWith('wrong') && all.length > 1) throw new Error('one is wrong');
      if (call.startsWith('wrong')) throw new Error(call);
    }
    if (outcomes.size > 0) throw new DroppedOut(outcomes);
    return all.map((call) => call.toUpperCase());
  };
  const lower = async (_: unknown, all: readonly string[]) => {
    calls.push(...all);
    return all.map((call) => call.toLowerCase());
  };
  const add = (work: typeof upper, call: string, writing: Partial<Writing> = {}) => {
    const written = queues.write(work, call, { subjects: ['a'], caller: call, ...writing }).then(
      (result) => result,
      (error: unknown) => (error instanceof Error ? error : new Error()),
    );
    void written.then((result) => done.push(String(result)));
    return written;
  };
  const turn = () => new Promise(setImmediate);
  return {
    ...{ begun, steps, done, turn },
    add: (call: string, writing?: Partial<Writing>) => add(upper, call, writing),
    addOther: (call: string, writing?: Partial<Writing>) => add(lower, call, writing),
    passes: (ms: number) => {
      nowMs += ms;
    },
    /** Lets the transaction with this number go through. */
    pass: async (at: number) => {
      steps[at]?.begin();
      await turn();
      steps[at]?.commit();
      steps[at]?.publish();
      await turn();
    },
  };
}

describe('queues of writes', () => {
  test('[SC30] one transaction of a subject is under way, and what comes meanwhile is written together', async () => {
    const { add, begun, steps, done, pass, turn } = held();
    for (const call of ['one', 'two']) void add(call);
    await turn();
    expect(steps).toHaveLength(1);
    steps[0]?.begin();
    await turn();
    for (const call of ['three', 'four', 'five']) void add(call);
    await turn();
    expect(steps).toHaveLength(1);
    await pass(0);
    await pass(1);
    expect(begun).toEqual([
      ['one', 'two'],
      ['three', 'four', 'five'],
    ]);
    expect(done).toEqual(['ONE', 'TWO', 'THREE', 'FOUR', 'FIVE']);
  });

  test('[SC30] the next transaction waits for the commit only, an answer also for its events', async () => {
    const { add, steps, done, turn } = held();
    void add('one');
    steps[0]?.begin();
    await turn();
    void add('two');
    steps[0]?.commit();
    await turn();
    expect(steps).toHaveLength(2);
    expect(done).toEqual([]);
    steps[0]?.publish();
    await turn();
    expect(done).toEqual(['ONE']);
  });

  test('[SC30] other subjects do not wait, and take turns for the transactions that may be under way', async () => {
    const { add, begun, steps, pass, turn } = held({ atOnce: 2 });
    for (const subject of ['a', 'b', 'c']) void add(`1${subject}`, { subjects: [subject] });
    await turn();
    expect(steps).toHaveLength(2);
    void add('2a', { subjects: ['a'] });
    await pass(0);
    await pass(1);
    await pass(2);
    await pass(3);
    expect(begun).toEqual([['1a', '2a'], ['1b'], ['1c']]);
  });

  test('[SC30] a subject whose calls keep coming has its next turn after those that came during its transaction', async () => {
    const { add, begun, pass, steps, turn } = held({ atOnce: 1, bounds: { batchCalls: 2 } });
    void add('1b', { subjects: ['b'] });
    steps[0]?.begin();
    await turn();
    for (const call of ['2b', '3b', '4b']) void add(call, { subjects: ['b'] });
    void add('1a', { subjects: ['a'] });
    for (const at of [0, 1, 2, 3]) await pass(at);
    expect(begun).toEqual([['1b'], ['1a', '2b'], ['3b', '4b']]);
  });

  test('[SC30] what is written in another way has a transaction of its own', async () => {
    const { add, addOther, begun, pass } = held();
    void add('one');
    void addOther('Two');
    void add('three');
    for (const at of [0, 1]) await pass(at);
    expect(begun).toEqual([['one', 'three'], ['Two']]);
  });

  test('[SC30] an engine of one transaction writes what waits for several subjects together', async () => {
    const { add, addOther, begun, pass, steps, done } = held({ atOnce: 1 });
    void add('1a', { subjects: ['a'] });
    void add('1b', { subjects: ['b'] });
    void addOther('C', { subjects: ['c'] });
    void add('1d', { subjects: ['d'] });
    for (const at of [0, 1]) await pass(at);
    expect(begun).toEqual([['1a', '1b', '1d'], ['C']]);
    expect(steps).toHaveLength(2);
    expect(done).toEqual(['1A', '1B', '1D', 'c']);
  });

  test('[SC30] a few calls do not wait for all of a busy subject, whose others follow', async () => {
    const { add, begun, pass, turn } = held({ atOnce: 1 });
    void add('quiet', { subjects: ['a'] });
    for (let at = 0; at < 90; at += 1) void add(`busy ${at}`, { subjects: ['b'] });
    await pass(0);
    await turn();
    await pass(1);
    expect(begun.map((calls) => calls.length)).toEqual([11, 80]);
    expect(begun[0]?.slice(0, 2)).toEqual(['quiet', 'busy 0']);
  });

  test('[SC30] a call with several subjects waits for all of them', async () => {
    const { add, begun, pass, turn, steps } = held();
    void add('one', { subjects: ['post', 'ada'] });
    void add('two', { subjects: ['other post', 'ada'] });
    void add('three', { subjects: ['other post', 'bob'] });
    await turn();
    expect(steps).toHaveLength(2);
    await pass(1);
    await pass(0);
    await pass(2);
    expect(begun).toEqual([['three'], ['one'], ['two']]);
  });

  test('[SC30] a queue that waits for a subject of another one has its turn before that one goes on', async () => {
    const { add, begun, pass, turn, steps } = held();
    void add('one', { subjects: ['busy post', 'ada'] });
    void add('two', { subjects: ['other post', 'ada'] });
    steps[0]?.begin();
    await turn();
    for (const call of ['three', 'four']) void add(call, { subjects: ['busy post', 'ada'] });
    for (const at of [0, 1, 2]) await pass(at);
    expect(begun).toEqual([['one'], ['two'], ['three', 'four']]);
  });

  test('[SC48] a call whose subjects others keep taking is next after a while', async () => {
    const { add, begun, passes, steps, turn } = held();
    const comment = (call: string) => void add(call, { subjects: ['post'] });
    const vote = (call: string) => void add(call, { subjects: ['comment'] });
    /** Commits a transaction, and begins the one that has waited for it. */
    const end = async (at: number) => {
      steps[at]?.commit();
      steps[at]?.publish();
      await turn();
      steps.at(-1)?.begin();
      await turn();
    };
    comment('comment 1');
    vote('vote 1');
    for (const step of steps) step.begin();
    await turn();
    void add('reply', { subjects: ['post', 'comment'] });
    for (const round of [2, 3]) {
      comment(`comment ${round}`);
      await end(2 * round - 4);
      vote(`vote ${round}`);
      await end(2 * round - 3);
    }
    passes(KEPT_FREE_AFTER_MS);
    comment('comment 4');
    await end(4);
    vote('vote 4');
    void add('kick', { subjects: ['post'], isUrgent: true });
    for (const at of [5, 6]) await end(at);
    expect(begun.slice(4)).toEqual([
      ['comment 3'],
      ['vote 3'],
      ['kick', 'reply', 'comment 4'],
      ['vote 4'],
    ]);
  });

  test('[SC31] urgent calls come first, then callers in turn', async () => {
    const { add, begun, pass, steps, turn } = held();
    void add('first');
    steps[0]?.begin();
    await turn();
    for (const call of ['a1', 'a2', 'a3']) void add(call, { caller: 'ada' });
    for (const call of ['b1', 'b2']) void add(call, { caller: 'bob' });
    void add('kick', { caller: 'mod', isUrgent: true });
    await pass(0);
    await pass(1);
    expect(begun[1]).toEqual(['kick', 'a1', 'b1', 'a2', 'b2', 'a3']);
  });

  test('[SC32] a call that is refused drops out, and the others are done', async () => {
    const { add, begun, done, pass } = held();
    for (const call of ['one', 'refused', 'two', 'known']) void add(call);
    await pass(0);
    await pass(1);
    expect(begun).toEqual([['one', 'two']]);
    expect(done).toEqual(['Error: refused', 'KNOWN', 'ONE', 'TWO']);
  });

  test('[SC32] calls of a transaction that fails are tried once more, each alone', async () => {
    const { add, begun, done, pass } = held();
    for (const call of ['one', 'wrong', 'two']) void add(call);
    for (const at of [0, 1, 2, 3]) await pass(at);
    expect(begun).toEqual([['one'], ['two']]);
    expect(done).toEqual(['ONE', 'Error: wrong', 'TWO']);
  });

  test('[SC32] an unknown commit, or a database that is away, fails for all, and the next calls begin', async () => {
    const { add, done, pass, steps, turn } = held();
    for (const call of ['one', 'two']) void add(call);
    steps[0]?.begin();
    await turn();
    steps[0]?.commit(new Away('gone'));
    await turn();
    expect(done).toEqual(['Error: gone', 'Error: gone']);
    void add('three');
    await pass(1);
    expect(done).toEqual(['Error: gone', 'Error: gone', 'THREE']);
  });

  test('[SC33] a transaction has so many calls and bytes at most', async () => {
    const { add, begun, pass } = held({ bounds: { batchCalls: 3, batchBytes: 100 } });
    for (const call of ['1', '2', '3', '4']) void add(call, { bytes: 10 });
    for (const call of ['5', '6']) void add(call, { bytes: 60 });
    for (const at of [0, 1, 2]) await pass(at);
    expect(begun).toEqual([['1', '2', '3'], ['4', '5'], ['6']]);
  });

  test.each([
    ['calls of a subject', { queueCalls: 2 }],
    ['bytes of a subject', { queueBytes: 25 }],
    ['bytes of a process', { bytes: 25 }],
  ])('[SC33] too many waiting %s are answered busy', async (_, bounds) => {
    const { add, done, pass } = held({ bounds });
    for (const call of ['1', '2', '3']) void add(call, { bytes: 10 });
    const refused = await add('4', { bytes: 10 });
    expect(refused).toBeInstanceOf(RateLimitedError);
    expect(refused).toMatchObject({ status: 429, data: { code: 'busy', retry_after: 250 } });
    await pass(0);
    expect(done.slice(1)).toEqual(['1', '2', '3']);
    void add('5', { bytes: 10 });
    await pass(1);
    expect(done.at(-1)).toBe('5');
  });
});
