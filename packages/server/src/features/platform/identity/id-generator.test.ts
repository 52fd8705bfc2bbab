import { describe, expect, test } from 'bun:test';
import {
  formatId,
  ID_EPOCH_SECONDS,
  type Id,
  idAfter,
  idParts,
  IDS_PER_SECOND,
  ServerError,
} from '@hearth/protocol';
import { type FakeClock, fakeClock } from '@hearth/testing/fake-clock';
import { allPositions } from '@hearth/testing/ports/all-positions';
import { IdGenerator, MAX_DEBT_SECONDS } from './id-generator.ts';

const INSTANCE_ID = 0xabcdef012345;
const START_MS = 1_800_000_000_400;
const START_SECONDS = 1_800_000_000 - ID_EPOCH_SECONDS;

/** The part that survives a crash: the mark that was stored last. */
class Store {
  mark = 0;
  writes = 0;
  isFull = false;

  open(clock: FakeClock): IdGenerator {
    const storeMark = async (mark: number) => {
      this.writes += 1;
      await Promise.resolve();
      if (this.isFull) throw new Error('the disk is full');
      this.mark = mark;
    };
    return new IdGenerator({
      instanceId: INSTANCE_ID,
      clock,
      ...allPositions(this.mark, storeMark),
    });
  }
}

function setUp() {
  const clock = fakeClock(START_MS);
  const store = new Store();
  return { clock, store, ids: store.open(clock) };
}

async function take(ids: IdGenerator, count: number): Promise<Id[]> {
  const taken: Id[] = [];
  for (let i = 0; i < count; i += 1) taken.push(await ids.next());
  return taken;
}

function expectRising(ids: readonly Id[]): void {
  const isRising = ids.every((id, i) => i === 0 || BigInt(id) > BigInt(ids[i - 1] ?? id));
  expect(isRising).toBe(true);
}

describe('an identifier', () => {
  test('[ID1] an identifier is made of the second, the instance and a sequence that begins at 0 in each second', async () => {
    const { clock, ids } = setUp();
    const first = await take(ids, 2);
    clock.advance(600);
    const next = await take(ids, 1);
    expect([...first, ...next].map(idParts)).toEqual([
      { seconds: START_SECONDS, instanceId: INSTANCE_ID, sequence: 0 },
      { seconds: START_SECONDS, instanceId: INSTANCE_ID, sequence: 1 },
      { seconds: START_SECONDS + 1, instanceId: INSTANCE_ID, sequence: 0 },
    ]);
  });

  test('[ID4] an identifier is given once, in rising order, when 20,000 are requested at once', async () => {
    const { ids } = setUp();
    const order: Id[] = [];
    const asked = Array.from({ length: 20_000 }, async () => {
      order.push(await ids.next());
    });
    await Promise.all(asked);
    expectRising(order);
    expect(new Set(order).size).toBe(20_000);
  });

  test('[ID4] an identifier is not given if its reservation cannot be stored, but the next one is', async () => {
    let isBroken = true;
    const ids = new IdGenerator({
      instanceId: INSTANCE_ID,
      clock: fakeClock(START_MS),
      ...allPositions(0, () =>
        isBroken ? Promise.reject(new Error('disk full')) : Promise.resolve(),
      ),
    });
    const refused = await Promise.allSettled([ids.next(), ids.next()]);
    expect(refused.map(({ status }) => status)).toEqual(['rejected', 'rejected']);
    const used: Id[] = [];
    await expect(ids.nextFor((id) => used.push(id))).rejects.toThrow('disk full');
    expect(used).toEqual([]);
    isBroken = false;
    expect(idParts(await ids.next()).sequence).toBe(0);
  });
});

describe('an identifier that is made for a use', () => {
  test('[ID4][LB1] the identifier is used at once if one is available, and otherwise when one is', async () => {
    const { ids } = setUp();
    const first = ids.nextFor((id) => ({ id }));
    expect(first).toBeInstanceOf(Promise);
    const { id } = await first;
    const next = ids.nextFor((own) => BigInt(own) - BigInt(id));
    expect(next).toBe(1n);
  });

  test('[ID4] the identifier is given at once and beyond another one, if one is available', async () => {
    const { ids } = setUp();
    const first = await ids.next();
    const later = idAfter(idAfter(first) ?? first) ?? first;
    expect(ids.afterNow(later)).toBe(idAfter(later));
    expect(BigInt(await ids.next()) - BigInt(later)).toBe(2n);
    const ahead = formatId({ seconds: START_SECONDS + 10, instanceId: INSTANCE_ID, sequence: 7 });
    expect(ids.afterNow(ahead)).toBeUndefined();
    const next = await ids.after(ahead);
    expect(BigInt(next) - BigInt(ahead)).toBe(1n);
  });

  test('[ID4][LB1] identifiers are used in their order, also by those that come while a reservation is under way', async () => {
    const { clock, ids } = setUp();
    const used: Id[] = [];
    const use = (id: Id) => void used.push(id);
    const asked: unknown[] = [];
    for (let round = 0; round < 30; round += 1) {
      // Beyond what is reserved, so that the first of a round has to wait.
      clock.advance(6_000);
      for (let each = 0; each < 3; each += 1) asked.push(ids.nextFor(use));
      expect(used).toHaveLength(asked.length - 3);
      for (let turn = 0; turn < 10; turn += 1) {
        asked.push(ids.nextFor(use));
        await Promise.resolve();
      }
      await Promise.all(asked);
    }
    expect(used).toHaveLength(30 * 13);
    expectRising(used);
  });

  test('[ID4] an identifier delays only the calls that need it, even if its use takes long', async () => {
    const { ids } = setUp();
    await ids.next();
    const { promise, resolve } = Promise.withResolvers<string>();
    const slow = ids.nextFor(() => promise);
    const quick = ids.nextFor(() => 'quick');
    expect(quick).toBe('quick');
    resolve('slow');
    expect(await slow).toBe('slow');
  });

  test('[ID4] the error of the use is passed to the caller, and the identifier is not given again', async () => {
    const { ids } = setUp();
    const failure = new Error('of the use');
    const given: Id[] = [];
    const fail = (id: Id) => {
      given.push(id);
      throw failure;
    };
    const [waiting, next] = [ids.nextFor(fail), ids.next()];
    await expect(waiting).rejects.toBe(failure);
    given.push(await next);
    expect(() => ids.nextFor(fail)).toThrow(failure);
    const rejected = ids.nextFor((id) => {
      given.push(id);
      return Promise.reject(failure);
    });
    await expect(rejected).rejects.toBe(failure);
    given.push(await ids.next());
    expect(given).toHaveLength(5);
    expectRising(given);
  });
});

describe('a full second', () => {
  test('[ID5] borrows from the next one after 65,536 identifiers', async () => {
    const { clock, ids } = setUp();
    const taken = await take(ids, IDS_PER_SECOND + 2);
    expectRising(taken);
    expect(taken.slice(-3).map(idParts)).toEqual([
      { seconds: START_SECONDS, instanceId: INSTANCE_ID, sequence: 65_535 },
      { seconds: START_SECONDS + 1, instanceId: INSTANCE_ID, sequence: 0 },
      { seconds: START_SECONDS + 1, instanceId: INSTANCE_ID, sequence: 1 },
    ]);
    clock.advance(1_000);
    expect(idParts(await ids.next())).toMatchObject({ seconds: START_SECONDS + 1, sequence: 2 });
  });

  test('[ID5] borrows 60 seconds and no more, until time has caught up', async () => {
    const { clock, ids } = setUp();
    let last: Id | undefined;
    for (let i = 0; i < (MAX_DEBT_SECONDS + 1) * IDS_PER_SECOND; i += 1) last = await ids.next();
    const { seconds, sequence } = idParts(last ?? (await ids.next()));
    expect([seconds - START_SECONDS, sequence]).toEqual([60, 65_535]);
    const refuse = async () => {
      await expect(ids.next()).rejects.toBeInstanceOf(ServerError);
      expect(() => ids.nextFor((id) => id)).toThrow(ServerError);
    };
    await refuse();
    clock.advance(599);
    await refuse();
    // Time going back does not lengthen the debt, and later progress still counts.
    clock.setUnixMs(START_MS - 3_600_000);
    clock.advance(1_000);
    expect(idParts(await ids.next())).toMatchObject({ seconds: START_SECONDS + 61, sequence: 0 });
    await take(ids, IDS_PER_SECOND - 1);
    await refuse();
    clock.setUnixMs(START_MS + 30_000);
    expect(idParts(await ids.next())).toMatchObject({ seconds: START_SECONDS + 62, sequence: 0 });
    clock.advance(62_000);
    expect(idParts(await ids.next())).toMatchObject({ seconds: START_SECONDS + 92, sequence: 0 });
  });
});

describe('a clock that is set', () => {
  test('[ID6] back repeats nothing and continues after the last identifier', async () => {
    const { clock, ids } = setUp();
    const [before] = await take(ids, 1);
    clock.setUnixMs(START_MS - 86_400_000);
    const [after] = await take(ids, 1);
    expect(BigInt(after ?? 0) - BigInt(before ?? 0)).toBe(1n);
  });

  test('[ID5][ID6] forward and back again has no debt, because nothing was borrowed', async () => {
    const { clock, ids } = setUp();
    clock.setUnixMs(START_MS + 86_400_000);
    const ahead = await take(ids, 1);
    clock.setUnixMs(START_MS);
    clock.advance(10_000);
    const back = await take(ids, 10);
    expectRising([...ahead, ...back]);
  });

  test('[ID6] back across a restart repeats nothing and has no debt', async () => {
    const { clock, store, ids } = setUp();
    const before = await take(ids, 1);
    clock.setUnixMs(START_MS - 86_400_000);
    const after = await take(store.open(clock), 10);
    expectRising([...before, ...after]);
  });

  test('[ID4] to a time before the epoch makes identifiers of the first second', async () => {
    const { store } = setUp();
    const ids = store.open(fakeClock(0));
    expect((await take(ids, 2)).map((id) => idParts(id))).toEqual([
      { seconds: 0, instanceId: INSTANCE_ID, sequence: 0 },
      { seconds: 0, instanceId: INSTANCE_ID, sequence: 1 },
    ]);
  });
});

describe('a restart', () => {
  test('[ID6] after a kill within the same second repeats nothing', async () => {
    const { clock, store, ids } = setUp();
    const before = await take(ids, 5);
    const after = await take(store.open(clock), 5);
    expectRising([...before, ...after]);
  });

  test('[ID6] after a clean stop continues right after the last identifier', async () => {
    const { clock, store, ids } = setUp();
    const [before] = await take(ids, 1);
    await ids[Symbol.asyncDispose]();
    const [after] = await take(store.open(clock), 1);
    expect(BigInt(after ?? 0) - BigInt(before ?? 0)).toBe(1n);
  });

  test('[ID6] after a stop during the first request continues right after its identifier', async () => {
    const { clock, store, ids } = setUp();
    const [first] = await Promise.all([ids.next(), ids[Symbol.asyncDispose]()]);
    const [after] = await take(store.open(clock), 1);
    expect(BigInt(after ?? 0) - BigInt(first)).toBe(1n);
  });

  test('[OP7] a stop does not wait for a store that does not answer', async () => {
    const clock = fakeClock(START_MS);
    let isStuck = false;
    const storeMark = () => (isStuck ? new Promise<void>(() => {}) : Promise.resolve());
    const ids = new IdGenerator({ instanceId: INSTANCE_ID, clock, ...allPositions(0, storeMark) });
    await ids.next();
    isStuck = true;
    expect(await ids[Symbol.asyncDispose]()).toBeUndefined();
  });

  test('[ID6][OP7] after a stop without room on the disk repeats nothing', async () => {
    const { clock, store, ids } = setUp();
    const before = await take(ids, 5);
    store.isFull = true;
    await ids[Symbol.asyncDispose]();
    store.isFull = false;
    expectRising([...before, ...(await take(store.open(clock), 5))]);
  });

  test.each([0, 1, 2, 3, 4, 5])(
    '[ID6] after a stop repeats no identifier that was requested %d turns into it',
    async (turns) => {
      const { clock, store, ids } = setUp();
      const before = await take(ids, 1);
      const stopping = ids[Symbol.asyncDispose]();
      for (let turn = 0; turn < turns; turn += 1) await Promise.resolve();
      const late = await take(ids, 1);
      await stopping;
      const after = await take(store.open(clock), 1);
      expectRising([...before, ...late, ...after]);
    },
  );

  test('[ID6] a restart costs little: after 100 quick ones after kills, identifiers are only seconds ahead', async () => {
    const clock = fakeClock(START_MS);
    const store = new Store();
    const taken: Id[] = [];
    for (let i = 0; i < 100; i += 1) taken.push(await store.open(clock).next());
    expectRising(taken);
    const aheadSeconds =
      idParts(taken.at(-1) ?? (await store.open(clock).next())).seconds - START_SECONDS;
    expect(aheadSeconds).toBeLessThan(15);
  });

  test('[ID6] a restart relies on a mark that is stored rarely', async () => {
    const { clock, store, ids } = setUp();
    for (let i = 0; i < 100; i += 1) {
      await take(ids, 3);
      clock.advance(100);
    }
    expect(store.writes).toBeLessThanOrEqual(3);
    expect(store.mark).toBeGreaterThan((START_SECONDS + 10) * IDS_PER_SECOND);
  });
});
