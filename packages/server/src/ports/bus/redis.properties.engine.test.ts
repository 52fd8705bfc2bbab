import { describe, expect, test } from 'bun:test';
import { compareIds, type Id } from '@hearth/protocol';
import fc from 'fast-check';
import { Recorder, placesAfter, idOf, message } from '@hearth/testing/ports/bus-recorder';
import {
  isRedisMissing,
  startRedisServer,
  type RedisServer,
} from '@hearth/testing/servers/redis-server';
import {
  BlockSource,
  freshPrefix,
  openSharedBus,
  type SharedBus,
} from '@hearth/testing/ports/shared-bus';
import { until } from '@hearth/testing/until';
import { runs } from '@hearth/testing/runs';
import type { EventDelivery, Subscription } from './bus.ts';

const PROCESSES = 2;

/** A step of a random history. */
type Step =
  | { readonly kind: 'publish'; readonly process: number; readonly count: number }
  | { readonly kind: 'follow' | 'leave'; readonly process: number }
  | { readonly kind: 'cut' | 'restart' | 'save' | 'forget' | 'wait' }
  | { readonly kind: 'halt'; readonly process: number };

const process = fc.nat({ max: PROCESSES - 1 });
const step: fc.Arbitrary<Step> = fc.oneof(
  {
    weight: 8,
    arbitrary: fc.record({
      kind: fc.constant('publish' as const),
      process,
      count: fc.integer({ min: 1, max: 150 }),
    }),
  },
  { weight: 2, arbitrary: fc.record({ kind: fc.constantFrom('follow', 'leave'), process }) },
  { weight: 3, arbitrary: fc.record({ kind: fc.constant('cut' as const) }) },
  { weight: 1, arbitrary: fc.record({ kind: fc.constantFrom('restart', 'save', 'forget') }) },
  { weight: 2, arbitrary: fc.record({ kind: fc.constant('wait' as const) }) },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('halt' as const), process }) },
);

/** An instance that runs the steps, and its followers. */
class Stage implements AsyncDisposable {
  readonly #server: RedisServer;
  readonly #processes: readonly SharedBus[];
  readonly followers: Recorder[] = [];
  readonly #present = new Map<Recorder, Subscription>();
  readonly #published: Promise<unknown>[] = [];
  /** Contents that were published and confirmed. */
  readonly answered: string[] = [];
  #count = 0;

  private constructor(server: RedisServer, processes: readonly SharedBus[]) {
    this.#server = server;
    this.#processes = processes;
  }

  static async open(server: RedisServer): Promise<Stage> {
    const shared = { url: server.url, prefix: freshPrefix(), blocks: new BlockSource(200) };
    const processes: SharedBus[] = [];
    for (let count = 0; count < PROCESSES; count += 1) processes.push(await openSharedBus(shared));
    const stage = new Stage(server, processes);
    for (let index = 0; index < PROCESSES; index += 1) await stage.#follow(index);
    return stage;
  }

  async run(next: Step): Promise<void> {
    switch (next.kind) {
      case 'publish':
        return this.#publish(next.process, next.count);
      case 'follow':
        return this.#follow(next.process);
      case 'leave':
        return this.#leave();
      case 'cut':
        // Rejects if this connection is cut, too.
        return void (await this.#send('CLIENT', ['KILL', 'TYPE', 'normal']));
      case 'save':
        return void (await this.#send('SAVE', []));
      case 'forget':
        return void (await this.#send('FLUSHALL', []));
      case 'restart':
        await this.#server.stop();
        return this.#server.start();
      case 'halt':
        this.#server.pause();
        this.#publish(next.process, 5);
        await new Promise((resolve) => setTimeout(resolve, 20));
        return this.#server.resume();
      case 'wait':
        return void (await Promise.all(this.#published));
    }
  }

  /** Publishes one last message and waits until all followers have it. */
  async end(): Promise<void> {
    await Promise.all(this.#published);
    await Promise.all(this.#processes.map(({ link }) => link.whenUp()));
    await this.#process(0).bus.append(message('end'));
    await until(async () =>
      [...this.#present.keys()].every(({ contents }) => contents.at(-1) === 'end'),
    );
  }

  async [Symbol.asyncDispose](): Promise<void> {
    for (const each of this.#processes) await each[Symbol.asyncDispose]();
  }

  #process(index: number): SharedBus {
    const found = this.#processes[index];
    if (found === undefined) throw new Error(`there is no process ${index}`);
    return found;
  }

  #publish(index: number, count: number): void {
    const { bus } = this.#process(index);
    for (let sent = 0; sent < count; sent += 1) {
      this.#count += 1;
      const content = String(this.#count);
      this.#published.push(
        Promise.resolve(bus.append(message(content))).then(
          () => void this.answered.push(content),
          () => {},
        ),
      );
    }
  }

  async #follow(index: number): Promise<void> {
    const { link, bus } = this.#process(index);
    const follower = new Recorder();
    for (;;) {
      await link.whenUp();
      try {
        this.#present.set(follower, await bus.subscribe(follower));
        this.followers.push(follower);
        return;
      } catch {
        // The connection was cut while it was opened.
      }
    }
  }

  #leave(): void {
    const [first] = this.#present;
    if (first === undefined || this.#present.size === 1) return;
    const [follower, subscription] = first;
    subscription.unsubscribe();
    this.#present.delete(follower);
  }

  #send(command: string, args: readonly string[]): Promise<unknown> {
    return this.#process(0)
      .link.send(command, args)
      .catch(() => undefined);
  }
}

function placeOf({ epoch, position }: EventDelivery): string {
  return `${epoch} ${position}`;
}

/** Expects that one follower misses nothing between two beginnings, and receives nothing twice. */
function expectWhole(follower: Recorder): void {
  for (const { start, taken } of follower.pieces) {
    const places = taken.map(({ epoch, position }) => ({ epoch, position }));
    expect(places).toEqual(placesAfter(start.at, taken.length));
    const kept = start.kept.map(({ position }) => position);
    const from = start.at.position - kept.length;
    expect(kept).toEqual(kept.map((_, i) => from + 1 + i));
  }
  const ids = [...(follower.starts[0]?.kept ?? []), ...follower.taken].map(idOf);
  expect(ids.every((id, i) => i === 0 || isGreater(id, ids[i - 1]))).toBe(true);
  expect(new Set(follower.taken.map(placeOf)).size).toBe(follower.taken.length);
  expect(new Set(follower.contents).size).toBe(follower.contents.length);
}

/** Expects that for all followers each position and each identifier belongs to one event. */
function expectSame(followers: readonly Recorder[]): void {
  const byPlace = new Map<string, EventDelivery>();
  const byId = new Map<Id, string>();
  for (const { starts, taken } of followers) {
    for (const delivery of [...starts.flatMap(({ kept }) => kept), ...taken]) {
      expect(byPlace.getOrInsert(placeOf(delivery), delivery)).toEqual(delivery);
      expect(byId.getOrInsert(idOf(delivery), placeOf(delivery))).toBe(placeOf(delivery));
    }
  }
}

function isGreater(id: Id, other: Id | undefined): boolean {
  return other === undefined || compareIds(id, other) > 0;
}

const isLoss = ({ kind }: Step) => kind === 'restart' || kind === 'forget';

describe.skipIf(isRedisMissing)('the redis bus under random failures', () => {
  test(
    '[LB16][LB19] each follower receives everything in order between two beginnings, nothing twice, and all receive the same',
    async () => {
      const property = async (steps: readonly Step[]) => {
        await using server = await startRedisServer();
        await using stage = await Stage.open(server);
        for (const next of steps) await stage.run(next);
        await stage.end();
        for (const follower of stage.followers) expectWhole(follower);
        expectSame(stage.followers);
        if (steps.some(isLoss)) return;
        // The first follower of each process was there all the time, unless it left.
        const firsts = stage.followers.slice(0, PROCESSES);
        const stayed = firsts.filter(({ contents }) => contents.at(-1) === 'end');
        for (const follower of stayed) {
          expect(follower.starts).toHaveLength(1);
          expect(stage.answered.filter((content) => !follower.contents.includes(content))).toEqual(
            [],
          );
        }
      };
      await fc.assert(fc.asyncProperty(fc.array(step, { minLength: 5, maxLength: 20 }), property), {
        numRuns: runs(10),
        interruptAfterTimeLimit: runs(60_000),
        endOnFailure: true,
      });
    },
    runs(120_000),
  );
});
