import { expect } from 'bun:test';
import fc from 'fast-check';
import type { FakeClock } from '@hearth/testing/fake-clock';
import type { LimitBucket, LimitPolicies, Limiter, LimitPolicy, Verdict } from './limiter.ts';

/** A step of a random history. Indexes wrap around. */
export type LimiterCommand =
  | { readonly type: 'take'; readonly bucket: LimitBucket; readonly client: number }
  | { readonly type: 'reserve'; readonly verdict: number; readonly bytes: number }
  | { readonly type: 'settle'; readonly reservation: number; readonly share: number }
  | { readonly type: 'wait'; readonly ms: number }
  | { readonly type: 'waitForEnd'; readonly verdict: number; readonly offsetMs: number };

interface ModelWindow {
  readonly policy: LimitPolicy;
  readonly startedAtMs: number;
  count: number;
  sent: number;
  reserved: number;
}

interface Subject {
  readonly limiter: Limiter;
  readonly policies: LimitPolicies;
  readonly clock: FakeClock;
}

/** Steps of a few clients over several windows, including waits to the exact end of a window. */
export function limiterCommands(policies: LimitPolicies): fc.Arbitrary<LimiterCommand[]> {
  const index = fc.nat({ max: 1_000 });
  // Guarantee: the keys of the record are those of its type.
  const buckets = Object.keys(policies) as LimitBucket[];
  const take = fc.record({
    type: fc.constant('take' as const),
    bucket: fc.oneof(fc.constant<LimitBucket>('attachments'), fc.constantFrom(...buckets)),
    client: fc.nat({ max: 2 }),
  });
  const reserve = fc.record({
    type: fc.constant('reserve' as const),
    verdict: index,
    bytes: fc.nat({ max: 700 }),
  });
  const settle = fc.record({
    type: fc.constant('settle' as const),
    reservation: index,
    share: fc.double({ min: 0, max: 1, noNaN: true }),
  });
  const wait = fc.record({ type: fc.constant('wait' as const), ms: fc.nat({ max: 4_000 }) });
  const waitForEnd = fc.record({
    type: fc.constant('waitForEnd' as const),
    verdict: index,
    offsetMs: fc.constantFrom(-1, 0, 1),
  });
  const command = fc.oneof(
    { arbitrary: take, weight: 6 },
    { arbitrary: reserve, weight: 3 },
    { arbitrary: settle, weight: 2 },
    { arbitrary: wait, weight: 1 },
    { arbitrary: waitForEnd, weight: 1 },
  );
  return fc.array(command, { maxLength: 60 });
}

/** Runs the commands on the limiter and on the model, and expects the same of both after each. */
export async function runLimiterCommands(
  commands: readonly LimiterCommand[],
  subject: Subject,
): Promise<void> {
  const model = new LimiterModel(subject);
  for (const command of commands) {
    await model.run(command);
    await model.compareStandings();
  }
}

class LimiterModel {
  readonly #subject: Subject;
  readonly #prefix = crypto.randomUUID();
  readonly #current = new Map<string, ModelWindow>();
  readonly #taken: { readonly verdict: Verdict; readonly window: ModelWindow }[] = [];
  readonly #reservations: { readonly taken: number; readonly bytes: number }[] = [];

  constructor(subject: Subject) {
    this.#subject = subject;
  }

  async run(command: LimiterCommand): Promise<void> {
    switch (command.type) {
      case 'take':
        return this.#take(command.bucket, `${this.#prefix}-${command.client}`);
      case 'reserve':
        return this.#reserve(command.verdict, command.bytes);
      case 'settle':
        return this.#settle(command.reservation, command.share);
      case 'wait':
        return this.#subject.clock.advance(command.ms);
      case 'waitForEnd':
        return this.#waitForEnd(command.verdict, command.offsetMs);
    }
  }

  async compareStandings(): Promise<void> {
    const { limiter, clock } = this.#subject;
    const asked = this.#taken.map(async ({ verdict }) => limiter.standing(verdict));
    const standings = await Promise.all(asked);
    for (const [index, { window }] of this.#taken.entries()) {
      const { policy, startedAtMs, count, sent, reserved } = window;
      const leftMs = startedAtMs + policy.resetAfterMs - clock.unixMs();
      expect(standings[index]).toEqual({
        requestCount: count,
        sentBytes: sent,
        bytesLeft: policy.byteLimit === undefined ? 0 : policy.byteLimit - sent - reserved,
        windowStartedAtMs: startedAtMs,
        retryAfterMs: Math.max(1, leftMs),
      });
    }
  }

  async #take(bucket: LimitBucket, client: string): Promise<void> {
    const { limiter, policies, clock } = this.#subject;
    const policy = policies[bucket];
    const key = `${bucket} ${client}`;
    const known = this.#current.get(key);
    const hasEnded =
      known === undefined || clock.unixMs() >= known.startedAtMs + policy.resetAfterMs;
    const window = hasEnded
      ? { policy, startedAtMs: clock.unixMs(), count: 0, sent: 0, reserved: 0 }
      : known;
    this.#current.set(key, window);
    const allowed = window.count < policy.limit;
    if (allowed) window.count += 1;
    const verdict = await limiter.take(bucket, client);
    expect(verdict).toMatchObject({ allowed, policy, requestCount: window.count });
    this.#taken.push({ verdict, window });
  }

  async #reserve(index: number, bytes: number): Promise<void> {
    const at = index % Math.max(1, this.#taken.length);
    const taken = this.#taken[at];
    if (taken === undefined) return;
    const { window, verdict } = taken;
    const left = (window.policy.byteLimit ?? 0) - window.sent - window.reserved;
    const granted = Math.min(bytes, left);
    expect(await this.#subject.limiter.reserve(verdict, bytes)).toBe(granted);
    window.reserved += granted;
    this.#reservations.push({ taken: at, bytes: granted });
  }

  async #settle(index: number, share: number): Promise<void> {
    const [reservation] = this.#reservations.splice(
      index % Math.max(1, this.#reservations.length),
      1,
    );
    const taken = reservation === undefined ? undefined : this.#taken[reservation.taken];
    if (reservation === undefined || taken === undefined) return;
    const billed = Math.floor(reservation.bytes * share);
    await this.#subject.limiter.settle(taken.verdict, reservation.bytes, billed);
    taken.window.reserved -= reservation.bytes;
    taken.window.sent += billed;
  }

  #waitForEnd(index: number, offsetMs: number): void {
    const { clock } = this.#subject;
    const window = this.#taken[index % Math.max(1, this.#taken.length)]?.window;
    if (window === undefined) return;
    const endsAtMs = window.startedAtMs + window.policy.resetAfterMs + offsetMs;
    clock.advance(Math.max(0, endsAtMs - clock.unixMs()));
  }
}
