import { expect, test } from 'bun:test';
import { type Id, IDS_PER_SECOND, ServerError } from '@hearth/protocol';
import fc from 'fast-check';
import { type FakeClock, fakeClock } from '@hearth/testing/fake-clock';
import { runs } from '@hearth/testing/runs';
import { allPositions } from '@hearth/testing/ports/all-positions';
import { IdGenerator } from './id-generator.ts';

type Command =
  | { readonly type: 'next'; readonly count: number }
  | { readonly type: 'advance'; readonly ms: number }
  | { readonly type: 'setClock'; readonly byMs: number }
  | { readonly type: 'breakStore'; readonly isBroken: boolean }
  | { readonly type: 'crash' }
  | { readonly type: 'stop'; readonly asked: readonly number[] };

/** The way in which identifiers are requested. */
type Way = 'next' | 'nextFor';

const DAY_MS = 86_400_000;

const command: fc.Arbitrary<Command> = fc.oneof(
  {
    weight: 8,
    arbitrary: fc.record({ type: fc.constant('next' as const), count: fc.nat({ max: 20 }) }),
  },
  { weight: 1, arbitrary: fc.constant({ type: 'next' as const, count: 5_000 }) },
  {
    weight: 3,
    arbitrary: fc.record({ type: fc.constant('advance' as const), ms: fc.nat({ max: 2_000 }) }),
  },
  {
    weight: 2,
    arbitrary: fc.record({
      type: fc.constant('setClock' as const),
      byMs: fc.oneof(
        fc.integer({ min: -1_500, max: 1_500 }),
        fc.integer({ min: -DAY_MS, max: DAY_MS }),
      ),
    }),
  },
  {
    weight: 1,
    arbitrary: fc.record({ type: fc.constant('breakStore' as const), isBroken: fc.boolean() }),
  },
  { weight: 3, arbitrary: fc.constant({ type: 'crash' as const }) },
  {
    weight: 2,
    arbitrary: fc.record({
      type: fc.constant('stop' as const),
      asked: fc.array(fc.nat({ max: 2 }), { maxLength: 6 }),
    }),
  },
);

/** An instance with a store that a crash may interrupt in the middle of a write. */
class Subject {
  readonly given: Id[] = [];
  readonly #clock: FakeClock = fakeClock();
  #mark = 0;
  #process = 0;
  #isBroken = false;
  readonly #way: Way;
  #ids = this.#start();

  constructor(way: Way) {
    this.#way = way;
  }

  async run(next: Command): Promise<void> {
    switch (next.type) {
      case 'next':
        await this.#ask(next.count);
        break;
      case 'advance':
        this.#clock.advance(next.ms);
        break;
      case 'setClock':
        this.#clock.setUnixMs(Math.max(0, this.#clock.unixMs() + next.byMs));
        break;
      case 'breakStore':
        this.#isBroken = next.isBroken;
        break;
      case 'crash':
        this.#ids = this.#start();
        break;
      case 'stop':
        await this.#stop(next.asked);
        break;
    }
  }

  /** A clean stop, with more requests at each of its turns. */
  async #stop(asked: readonly number[]): Promise<void> {
    const stopping = [this.#ids[Symbol.asyncDispose]()];
    for (const count of asked) {
      stopping.push(this.#ask(count));
      await Promise.resolve();
    }
    const [stopped, ...answers] = await Promise.allSettled(stopping);
    expect(stopped?.status === 'fulfilled' || this.#isBroken).toBe(true);
    expect(answers.filter(({ status }) => status === 'rejected')).toEqual([]);
    this.#ids = this.#start();
  }

  #start(): IdGenerator {
    this.#process += 1;
    const owner = this.#process;
    const storeMark = async (mark: number) => {
      await Promise.resolve();
      // What a process has not written when it dies is never written.
      if (this.#isBroken || owner !== this.#process)
        throw new Error('the store of the test is broken');
      this.#mark = mark;
    };
    return new IdGenerator({
      instanceId: 7,
      clock: this.#clock,
      ...allPositions(this.#mark, storeMark),
    });
  }

  async #ask(count: number): Promise<void> {
    const ids = this.#ids;
    const asked = Array.from({ length: count }, async () => {
      if (this.#way === 'next') this.given.push(await ids.next());
      else await ids.nextFor((id) => this.given.push(id));
    });
    for (const answer of await Promise.allSettled(asked)) {
      if (answer.status === 'fulfilled' || this.#isBroken) continue;
      // Nothing here borrows 60 seconds, so nobody may be refused.
      expect(answer.reason).not.toBeInstanceOf(ServerError);
      expect(answer.reason).toBeUndefined();
    }
  }
}

test.each<Way>(['next', 'nextFor'])(
  '[ID4][ID6][LB1] identifiers rise and never repeat, whatever happens to the clock and the process: %s',
  async (way) => {
    const property = fc.asyncProperty(fc.array(command, { maxLength: 40 }), async (commands) => {
      const subject = new Subject(way);
      for (const next of commands) await subject.run(next);
      const positions = subject.given.map((id) => BigInt(id));
      const isRising = positions.every(
        (position, i) => i === 0 || position > (positions[i - 1] ?? 0n),
      );
      expect(isRising).toBe(true);
      expect(new Set(positions).size).toBe(positions.length);
    });
    // Failed when an identifier that was waited for was returned later than it was made.
    const failed: Command[] = [{ type: 'stop', asked: [1, 0, 0, 1] }];
    await fc.assert(property, { numRuns: runs(200), examples: [[failed]] });
  },
);

test('[ID6] a new process begins at the mark at the earliest, anywhere in a second', async () => {
  const clock = fakeClock();
  const nowSeconds = clock.unixMs() / 1_000 - 1_650_000_000;
  const property = fc.asyncProperty(
    fc.integer({ min: -1_000_000, max: 1_000_000 }),
    async (offset) => {
      const mark = nowSeconds * IDS_PER_SECOND + offset;
      const ids = new IdGenerator({
        instanceId: 0,
        clock,
        ...allPositions(mark, () => Promise.resolve()),
      });
      const id = BigInt(await ids.next());
      const position = (id >> 64n) * BigInt(IDS_PER_SECOND) + (id & 0xffffn);
      expect(Number(position)).toBe(Math.max(mark, nowSeconds * IDS_PER_SECOND));
    },
  );
  await fc.assert(property);
});
