import { fakeClock } from '@hearth/testing/fake-clock';
import { expect, test } from 'bun:test';
import type { Clock } from '../../lib/clock.ts';
import { policiesBy, type LimitPolicies, type Limiter } from './limiter.ts';

/** Opens the engine under test. */
type Open = (policies: LimitPolicies, clock: Clock) => Limiter | Promise<Limiter>;

const POLICIES = policiesBy(() => ({ resetAfterMs: 5_000, limit: 4 }));

/** Proves what every engine of the limiter promises of `pace`. */
export function paceContract(open: Open): void {
  const setUp = async () => {
    const clock = fakeClock();
    const limiter = await open(POLICIES, clock);
    const client = crypto.randomUUID();
    return {
      clock,
      limiter,
      pace: async (periodMs: number, of = client) => limiter.pace(of, periodMs),
      [Symbol.asyncDispose]: () => limiter[Symbol.asyncDispose](),
    };
  };

  test('[MO10] one action of a client is let through in a period, and others learn how long to wait', async () => {
    await using opened = await setUp();
    const { clock, pace } = opened;
    expect(await pace(30_000)).toBe(0);
    expect(await pace(30_000)).toBe(30_000);
    clock.advance(10_000);
    expect(await pace(30_000)).toBe(20_000);
    expect(await pace(30_000, crypto.randomUUID())).toBe(0);
    clock.advance(19_999);
    expect(await pace(30_000)).toBe(1);
    clock.advance(1);
    expect(await pace(30_000)).toBe(0);
    expect(await pace(30_000)).toBe(30_000);
  });

  test('[MO10] a single one of 20 actions at the same time is let through', async () => {
    await using opened = await setUp();
    const waits = await Promise.all(Array.from({ length: 20 }, () => opened.pace(30_000)));
    expect(waits.filter((waitMs) => waitMs === 0)).toHaveLength(1);
  });

  test('[MO10] a new period counts from the last action that was let through', async () => {
    await using opened = await setUp();
    const { clock, pace } = opened;
    expect(await pace(60_000)).toBe(0);
    clock.advance(10_000);
    expect(await pace(15_000)).toBe(5_000);
    expect(await pace(120_000)).toBe(110_000);
    expect(await pace(10_000)).toBe(0);
  });
}
