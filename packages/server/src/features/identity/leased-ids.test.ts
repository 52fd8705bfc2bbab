import { describe, expect, test } from 'bun:test';
import { type Id, ID_EPOCH_SECONDS, idParts, IDS_PER_SECOND } from '@hearth/protocol';
import { fakeClock } from '../../../test/support/fake-clock.ts';
import { BLOCK_AGE_MS, LeasedIds } from './leased-ids.ts';

const INSTANCE_ID = 0xabcdef012345;
const START_MS = 1_800_000_000_000;
const START_SECONDS = 1_800_000_000 - ID_EPOCH_SECONDS;
const BLOCK_IDS = 100;

/** A source on blocks of its own that are leased as the test says. */
function setUp() {
  const clock = fakeClock(START_MS);
  const state = { leases: 0, failure: undefined as Error | undefined, end: 0 };
  const leaseIds = async () => {
    state.leases += 1;
    await Promise.resolve();
    if (state.failure !== undefined) throw state.failure;
    const nowSeconds = Math.floor(clock.unixMs() / 1_000) - ID_EPOCH_SECONDS;
    const first = Math.max(state.end, nowSeconds * IDS_PER_SECOND);
    state.end = first + BLOCK_IDS;
    return { first, end: state.end };
  };
  return { clock, state, ids: new LeasedIds({ instanceId: INSTANCE_ID, clock, leaseIds }) };
}

function expectRising(ids: readonly Id[]): void {
  expect(ids.every((id, i) => i === 0 || BigInt(id) > BigInt(ids[i - 1] ?? id))).toBe(true);
}

describe('an identifier of a leased block', () => {
  test('[ID1] is made of the second, the instance and the sequence', async () => {
    const { ids } = setUp();
    const taken = [await ids.next(), await ids.next()];
    expect(taken.map(idParts)).toEqual([
      { seconds: START_SECONDS, instanceId: INSTANCE_ID, sequence: 0 },
      { seconds: START_SECONDS, instanceId: INSTANCE_ID, sequence: 1 },
    ]);
  });

  test('[ID4] is used at once where one is at hand, and in order where many wait for several blocks', async () => {
    const { ids, state } = setUp();
    const used: Id[] = [];
    const asked: unknown[] = [];
    for (let i = 0; i < 5 * BLOCK_IDS; i += 1) {
      asked.push(ids.nextFor((id) => void used.push(id)));
      if (i % 7 === 0) await Promise.resolve();
    }
    await Promise.all(asked);
    expect(used).toHaveLength(5 * BLOCK_IDS);
    expectRising(used);
    expect(state.leases).toBe(5);
    await ids.next();
    expect(ids.nextFor(() => 'at once')).toBe('at once');
  });

  test('[ID4] leaves what its use throws to who asked, and is not given again', async () => {
    const { ids } = setUp();
    const given: Id[] = [];
    const fail = (id: Id) => {
      given.push(id);
      throw new Error('of the use');
    };
    await expect(ids.nextFor(fail)).rejects.toThrow('of the use');
    expect(() => ids.nextFor(fail)).toThrow('of the use');
    given.push(await ids.next());
    expect(given).toHaveLength(3);
    expectRising(given);
  });
});

describe('a block', () => {
  test('is let go when it is 5 s old, so that identifiers tell when they were made', async () => {
    const { clock, state, ids } = setUp();
    const taken = [await ids.next()];
    clock.advance(BLOCK_AGE_MS - 1);
    taken.push(await ids.next());
    expect(state.leases).toBe(1);
    clock.advance(1);
    taken.push(await ids.next());
    expect(state.leases).toBe(2);
    expect(taken.map((id) => idParts(id).seconds - START_SECONDS)).toEqual([0, 0, 5]);
  });

  test('that is old is used up where no other can be had, and then there are none', async () => {
    const { clock, state, ids } = setUp();
    const taken = [await ids.next()];
    clock.advance(BLOCK_AGE_MS);
    state.failure = new Error('the database is away');
    for (let i = 1; i < BLOCK_IDS; i += 1) taken.push(await ids.next());
    expectRising(taken);
    expect(taken.map((id) => idParts(id).seconds)).toEqual(taken.map(() => START_SECONDS));
    const used: Id[] = [];
    await expect(ids.nextFor((id) => used.push(id))).rejects.toBe(state.failure);
    expect(used).toEqual([]);
    state.failure = undefined;
    expect(idParts(await ids.next()).seconds).toBe(START_SECONDS + BLOCK_AGE_MS / 1_000);
  });

  test('[SC15] that is old is used where nothing is heard of another one', async () => {
    const clock = fakeClock(START_MS);
    const { promise: silence } = Promise.withResolvers<never>();
    const blocks = [Promise.resolve({ first: 0, end: BLOCK_IDS })];
    const leaseIds = () => blocks.pop() ?? silence;
    const ids = new LeasedIds({ instanceId: INSTANCE_ID, clock, leaseIds });
    const first = await ids.next();
    clock.advance(BLOCK_AGE_MS);
    const [second, third] = await Promise.all([ids.next(), ids.next()]);
    expectRising([first, second, third]);
  });

  test('is leased once for all that wait for it, and its failure is told to each', async () => {
    const { state, ids } = setUp();
    state.failure = new Error('the database is away');
    const refused = await Promise.allSettled([ids.next(), ids.next(), ids.next()]);
    expect(refused.map(({ status }) => status)).toEqual(['rejected', 'rejected', 'rejected']);
    expect(state.leases).toBe(1);
    state.failure = undefined;
    await Promise.all([ids.next(), ids.next()]);
    expect(state.leases).toBe(2);
  });
});
