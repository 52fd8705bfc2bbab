import { describe, expect, test } from 'bun:test';
import fc from 'fast-check';
import { AnswerRow, TURNS_ALONE } from './answer-row.ts';

/** A row whose turns the test ends. */
class Turns {
  /** The ports that were sent an answer, in order. */
  readonly sent: number[] = [];
  readonly #row = new AnswerRow((end) => this.#ends.push(end));
  #ends: (() => void)[] = [];

  /** Answers connections at these ports. Returns those that were sent their answers before the turn ends. */
  brings(...ports: readonly number[]): readonly number[] {
    const before = this.sent.length;
    for (const port of ports) {
      this.#row.sender(port)(() => this.sent.push(port), Response.json(port));
    }
    return this.sent.slice(before);
  }

  /** Ends the turn. Returns the ports that were sent an answer by that. */
  ends(): readonly number[] {
    const before = this.sent.length;
    const ends = this.#ends;
    this.#ends = [];
    for (const end of ends) end();
    return this.sent.slice(before);
  }

  /** Has turns with one answer for each of these ports until all may wait. */
  familiarize(...ports: readonly number[]): this {
    for (let turn = 0; turn < TURNS_ALONE; turn += 1) {
      this.brings(...ports);
      this.ends();
    }
    return this;
  }
}

describe('[HT8] the answers of a turn', () => {
  test('answers are sent at the end of the turn, in order, but for the first one', () => {
    const turns = new Turns().familiarize(1, 2, 3, 4);
    expect(turns.brings(3, 1, 4, 2)).toEqual([3]);
    expect(turns.ends()).toEqual([1, 4, 2]);
    expect(turns.brings(4)).toEqual([4]);
    expect(turns.ends()).toEqual([]);
  });

  test('answers do not wait on a connection that has had few turns', () => {
    const turns = new Turns();
    for (let turn = 0; turn < TURNS_ALONE; turn += 1) {
      expect(turns.brings(1, 2, 3)).toEqual([1, 2, 3]);
      expect(turns.ends()).toEqual([]);
    }
    expect(turns.brings(1, 2, 3)).toEqual([1]);
  });

  test('answers do not wait on a connection that pipelined a moment ago', () => {
    const turns = new Turns().familiarize(1, 2);
    turns.brings(1, 2, 2);
    turns.ends();
    for (let turn = 0; turn < TURNS_ALONE; turn += 1) {
      expect(turns.brings(1, 2, 2, 2)).toEqual([1, 2, 2, 2]);
      expect(turns.ends()).toEqual([]);
    }
  });
});

test('[HT8] every answer is sent once, by the end of its turn', () => {
  const rounds = fc.array(fc.array(fc.nat({ max: 5 }), { maxLength: 8 }), { maxLength: 40 });
  fc.assert(
    fc.property(rounds, (brought) => {
      const turns = new Turns();
      for (const ports of brought) {
        const now = turns.brings(...ports);
        const all = [...now, ...turns.ends()];
        expect(all.toSorted()).toEqual(ports.toSorted());
      }
    }),
    { numRuns: 200 },
  );
});

test('the event loop ends its turns by itself', async () => {
  const row = new AnswerRow();
  const answer = async (port: number) =>
    new Promise<Response>((resolve) => row.sender(port)(resolve, Response.json(port)));
  for (let turn = 0; turn <= TURNS_ALONE; turn += 1) {
    const answers = await Promise.all([1, 2, 3].map(answer));
    expect(await Promise.all(answers.map((each) => each.json()))).toEqual([1, 2, 3]);
  }
});
