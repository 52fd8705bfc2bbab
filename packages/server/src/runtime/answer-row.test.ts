import { describe, expect, test } from 'bun:test';
import fc from 'fast-check';
import { AnswerRow } from './answer-row.ts';

/** A row whose turns the test ends. */
class Turns {
  readonly row: AnswerRow;
  /** What was answered, in order. */
  readonly answered: number[] = [];
  #ends: (() => void)[] = [];
  #connections = 0;

  constructor() {
    this.row = new AnswerRow((end) => this.#ends.push(end));
  }

  /** How many ends of a turn are awaited. */
  get awaited(): number {
    return this.#ends.length;
  }

  /** Lets answers be ready, each on a connection of its own; tells what is answered before the turn ends. */
  async brings(...answers: readonly number[]): Promise<readonly number[]> {
    const before = this.answered.length;
    for (const answer of answers) {
      this.#connections += 1;
      const connection = this.#connections;
      void this.row
        .hold(Promise.resolve(answer), () => connection)
        .then((it) => this.answered.push(it));
    }
    await settled();
    return this.answered.slice(before);
  }

  /** Ends the turn; tells what is answered by that. */
  async ends(): Promise<readonly number[]> {
    const before = this.answered.length;
    const ends = this.#ends;
    this.#ends = [];
    for (const end of ends) end();
    await settled();
    return this.answered.slice(before);
  }
}

/** Resolves when everything has happened that waits for nothing else. */
async function settled(): Promise<void> {
  for (let step = 0; step < 10; step += 1) await Promise.resolve();
}

const upTo = (count: number) => Array.from({ length: count }, (_, index) => index);

describe('while few answers come in a turn', () => {
  test.each([1, 2, 7])('none waits: %d', async (count) => {
    const turns = new Turns();
    for (let round = 0; round < 5; round += 1) {
      expect(await turns.brings(...upTo(count))).toEqual(upTo(count));
      expect(await turns.ends()).toEqual([]);
      expect(turns.awaited).toBe(0);
    }
  });

  test('none waits that comes behind others on one connection, however many they are', async () => {
    const turns = new Turns();
    const answered: number[] = [];
    for (const answer of upTo(100)) {
      void turns.row.hold(Promise.resolve(answer), () => 1).then((it) => answered.push(it));
    }
    await settled();
    expect(answered).toEqual(upTo(100));
  });
});

describe('when many come in a turn', () => {
  test('those from the eighth on wait for its end, and are answered in order', async () => {
    const turns = new Turns();
    expect(await turns.brings(...upTo(20))).toEqual(upTo(7));
    expect(await turns.ends()).toEqual(upTo(20).slice(7));
  });

  test('those of the next turn wait all together, and for no later one', async () => {
    const turns = new Turns();
    await turns.brings(...upTo(20));
    await turns.ends();
    for (let round = 0; round < 3; round += 1) {
      expect(await turns.brings(...upTo(12))).toEqual([]);
      expect(await turns.ends()).toEqual(upTo(12));
    }
  });

  test.each([
    [7, 3],
    [4, 4],
    [1, 7],
  ])('they wait too where they come back in two turns, %d and %d', async (one, other) => {
    const turns = new Turns();
    await turns.brings(...upTo(one + other));
    await turns.ends();
    for (let round = 0; round < 5; round += 1) {
      for (const count of [one, other]) {
        expect(await turns.brings(...upTo(count))).toEqual([]);
        expect(await turns.ends()).toEqual(upTo(count));
      }
    }
  });

  test('none waits any more when few came in two turns, or none', async () => {
    for (const few of [0, 1, 3]) {
      const turns = new Turns();
      await turns.brings(...upTo(20));
      await turns.ends();
      for (const round of [1, 2]) {
        await turns.brings(...upTo(few));
        await turns.ends();
        expect([round, turns.awaited]).toEqual([round, round === 2 ? 0 : 1]);
      }
      expect(await turns.brings(1, 2, 3)).toEqual([1, 2, 3]);
    }
  });

  test('an answer that takes longer than its turn waits for the end of the one in which it is ready', async () => {
    const turns = new Turns();
    const { promise, resolve } = Promise.withResolvers<number>();
    await turns.brings(...upTo(20));
    let isAnswered = false;
    void turns.row.hold(promise, () => 0).then(() => (isAnswered = true));
    await turns.ends();
    resolve(1);
    await settled();
    expect(isAnswered).toBe(false);
    await turns.ends();
    expect(isAnswered).toBe(true);
  });

  test('what waits is sent at once where nothing more is to come', async () => {
    const turns = new Turns();
    await turns.brings(...upTo(20));
    turns.row.flush();
    await settled();
    expect(turns.answered).toEqual(upTo(20));
    expect(await turns.ends()).toEqual([]);
  });
});

test('a failure is passed on at once, and counts for nothing', async () => {
  const turns = new Turns();
  const fault = new Error('a fault');
  let ready = 0;
  for (let count = 0; count < 20; count += 1) {
    const held = turns.row.hold(Promise.reject(fault), () => (ready += 1));
    expect(await held.catch((error: unknown) => error)).toBe(fault);
  }
  expect([ready, turns.awaited]).toEqual([20, 0]);
});

test('whatever comes when, every answer is given once, by the end of its turn', async () => {
  const rounds = fc.array(fc.nat({ max: 30 }), { maxLength: 30 });
  await fc.assert(
    fc.asyncProperty(rounds, async (counts) => {
      const turns = new Turns();
      let next = 0;
      for (const count of counts) {
        await turns.brings(...upTo(count).map((index) => next + index));
        next += count;
        await turns.ends();
        expect(turns.answered.toSorted((one, other) => one - other)).toEqual(upTo(next));
      }
    }),
    { numRuns: 200 },
  );
});

test('the event loop ends its turns by itself', async () => {
  const row = new AnswerRow();
  const answers = upTo(50).map((index) => row.hold(Promise.resolve(index), () => index));
  expect(await Promise.all(answers)).toEqual(upTo(50));
});
