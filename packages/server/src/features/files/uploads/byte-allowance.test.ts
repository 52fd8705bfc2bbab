import { describe, expect, test } from 'bun:test';
import { FileSizeRateLimitedError } from '@hearth/protocol';
import fc from 'fast-check';
import { fakeClock } from '@hearth/testing/fake-clock';
import {
  policiesBy,
  type LimitPolicies,
  type Limiter,
  type Verdict,
} from '../../../ports/limiter/limiter.ts';
import { memoryLimiter } from '../../../ports/limiter/memory.ts';
import { ByteAllowance } from './byte-allowance.ts';

const BYTE_LIMIT = 1_000;
const RESET_AFTER_MS = 60_000;

const policy = { resetAfterMs: RESET_AFTER_MS, limit: 1_000 };
const policies: LimitPolicies = {
  ...policiesBy(() => policy),
  attachments: { ...policy, byteLimit: BYTE_LIMIT },
};

async function setUp() {
  const clock = fakeClock();
  const limiter = memoryLimiter(policies, clock);
  const verdict = await limiter.take('attachments', 'client');
  const bytes = async () => {
    const { sentBytes, bytesLeft } = await limiter.standing(verdict);
    return { sentBytes, bytesLeft };
  };
  const open = (announcedBytes: number) => ByteAllowance.open(limiter, verdict, announcedBytes);
  return { clock, limiter, verdict, bytes, open };
}

/** The data of the FileSizeRateLimitedError that `spending` rejects with, or undefined. */
async function refusal(spending: Promise<void>): Promise<unknown> {
  try {
    await spending;
    return undefined;
  } catch (error) {
    expect(error).toBeInstanceOf(FileSizeRateLimitedError);
    return error instanceof FileSizeRateLimitedError ? error.data : undefined;
  }
}

describe('the allowance of a running upload', () => {
  test('[LI18] the allowance reserves the announced bytes, and releases those that are not billed', async () => {
    const { bytes, open } = await setUp();
    const allowance = await open(600);
    expect(await bytes()).toEqual({ sentBytes: 0, bytesLeft: 400 });
    await allowance.spend(450);
    await allowance.bill();
    expect(await bytes()).toEqual({ sentBytes: 450, bytesLeft: 550 });
  });

  test('[LI18] the allowance reserves at most what is left', async () => {
    const { bytes, open } = await setUp();
    const first = await open(700);
    const second = await open(700);
    expect(await bytes()).toEqual({ sentBytes: 0, bytesLeft: 0 });
    await second.giveBack();
    expect(await bytes()).toEqual({ sentBytes: 0, bytesLeft: 300 });
    await first.giveBack();
    expect(await bytes()).toEqual({ sentBytes: 0, bytesLeft: BYTE_LIMIT });
  });

  test('[LI18] the allowance grows with an upload that turns out larger, as far as bytes are left', async () => {
    const { bytes, open } = await setUp();
    const allowance = await open(0);
    await allowance.spend(999);
    await allowance.spend(1);
    expect(await bytes()).toEqual({ sentBytes: 0, bytesLeft: 0 });
    await allowance.bill();
    expect(await bytes()).toEqual({ sentBytes: BYTE_LIMIT, bytesLeft: 0 });
  });

  test('[LI16][LI17] one byte more than is left is refused, and none of the bytes before it is billed', async () => {
    const { clock, bytes, open } = await setUp();
    const [other, allowance] = [await open(300), await open(500)];
    await allowance.spend(700);
    clock.advance(1_000);
    expect(await refusal(allowance.spend(1))).toEqual({ retry_after: 59_000, bytes_left: 700 });
    expect(await bytes()).toEqual({ sentBytes: 0, bytesLeft: 700 });
    await other.giveBack();
  });

  test('[LI18] the allowance reserves no more than the upload can still need', async () => {
    const { bytes, open } = await setUp();
    const allowance = await open(800);
    await allowance.shrinkTo(900);
    expect(await bytes()).toEqual({ sentBytes: 0, bytesLeft: 200 });
    await allowance.shrinkTo(500);
    expect(await bytes()).toEqual({ sentBytes: 0, bytesLeft: 500 });
    await allowance.spend(400);
    await allowance.shrinkTo(100);
    expect(await bytes()).toEqual({ sentBytes: 0, bytesLeft: 600 });
    await allowance.bill();
    expect(await bytes()).toEqual({ sentBytes: 400, bytesLeft: 600 });
  });

  test('[LI17] the allowance is billed or released once, however often its end is reported', async () => {
    const { bytes, open } = await setUp();
    const [billed, given] = [await open(300), await open(300)];
    await Promise.all([billed.spend(200), given.spend(200)]);
    for (const _round of [1, 2]) {
      await billed.bill();
      await given.giveBack();
      await billed.giveBack();
    }
    expect(await bytes()).toEqual({ sentBytes: 200, bytesLeft: 800 });
  });

  test('[LI17] the allowance stays with the window in which the upload began', async () => {
    const { clock, limiter, bytes, open } = await setUp();
    const allowance = await open(100);
    clock.advance(RESET_AFTER_MS);
    const next = await limiter.take('attachments', 'client');
    await allowance.spend(1_000);
    await allowance.bill();
    expect(await bytes()).toEqual({ sentBytes: 1_000, bytesLeft: 0 });
    expect(await limiter.standing(next)).toMatchObject({ sentBytes: 0, bytesLeft: BYTE_LIMIT });
  });
});

interface Plan {
  /** The announced Content-Length; undefined for a chunked upload. */
  readonly announced: number | undefined;
  readonly chunks: readonly number[];
  readonly isBroken: boolean;
}

/** One of several uploads at the same time, with what it should hold. */
class RunningUpload {
  readonly plan: Plan;
  readonly #allowance: ByteAllowance;
  readonly #chunks: number[];
  held: number;
  spent = 0;

  private constructor(plan: Plan, allowance: ByteAllowance, held: number) {
    this.plan = plan;
    this.#allowance = allowance;
    this.#chunks = [...plan.chunks];
    this.held = held;
  }

  static async begin(limiter: Limiter, verdict: Verdict, plan: Plan): Promise<RunningUpload> {
    const { bytesLeft } = await limiter.standing(verdict);
    const announced = plan.announced ?? 0;
    const allowance = await ByteAllowance.open(limiter, verdict, announced);
    return new RunningUpload(plan, allowance, Math.min(announced, bytesLeft));
  }

  /** Takes the next chunk, or the end. `left` is the number of bytes that nobody holds. */
  async step(left: number): Promise<'running' | 'billed' | 'broken' | 'refused'> {
    const chunk = this.#chunks.shift();
    if (chunk === undefined) {
      await (this.plan.isBroken ? this.#allowance.giveBack() : this.#allowance.bill());
      return this.plan.isBroken ? 'broken' : 'billed';
    }
    const isRefused = (await refusal(this.#allowance.spend(chunk))) !== undefined;
    this.spent += chunk;
    // An upload is refused exactly when it needs more than it holds and nobody else holds.
    expect(isRefused).toBe(this.spent > this.held + left);
    this.held = Math.max(this.held, this.spent);
    return isRefused ? 'refused' : 'running';
  }
}

const chunks = fc.array(fc.nat({ max: 200 }), { maxLength: 6 });
const plan: fc.Arbitrary<Plan> = fc
  .record({
    chunks,
    slack: fc.nat({ max: 100 }),
    isChunked: fc.boolean(),
    isLying: fc.boolean(),
    isBroken: fc.boolean(),
  })
  .map(({ slack, isChunked, isLying, ...rest }) => {
    const size = rest.chunks.reduce((sum, chunk) => sum + chunk, 0);
    const announced = isLying ? Math.floor(size / 2) : size + slack;
    return { ...rest, announced: isChunked ? undefined : announced };
  });

test('[LI16][LI18] simultaneous uploads never exceed the limit, and are accepted in the order of arrival as long as they fit', async () => {
  const plans = fc.array(plan, { minLength: 1, maxLength: 8 });
  const turns = fc.infiniteStream(fc.nat({ max: 7 }));
  const property = fc.asyncProperty(plans, turns, async (waiting, turn) => {
    const { limiter, verdict } = await setUp();
    const running: RunningUpload[] = [];
    const arriving = [...waiting];
    let billed = 0;
    while (arriving.length + running.length > 0) {
      const held = running.reduce((sum, upload) => sum + upload.held, 0);
      const { sentBytes, bytesLeft } = await limiter.standing(verdict);
      expect([sentBytes, bytesLeft]).toEqual([billed, BYTE_LIMIT - billed - held]);
      const next = (turn.next().value ?? 0) % (running.length + 1);
      const upload = running[next];
      const arrived = upload === undefined ? arriving.shift() : undefined;
      if (arrived !== undefined) running.push(await RunningUpload.begin(limiter, verdict, arrived));
      if (upload === undefined) continue;
      const end = await upload.step(bytesLeft);
      if (end !== 'running') running.splice(running.indexOf(upload), 1);
      if (end === 'billed') billed += upload.spent;
    }
    expect(billed).toBeLessThanOrEqual(BYTE_LIMIT);
  });
  await fc.assert(property, { numRuns: 300 });
});

test('[LI18] an upload that fits when it arrives is accepted, whatever the others do', async () => {
  const others = fc.array(plan, { maxLength: 6 });
  const property = fc.asyncProperty(others, fc.array(fc.nat({ max: 6 })), async (plans, turns) => {
    const { limiter, verdict } = await setUp();
    const honest = { announced: 400, chunks: [100, 200, 100], isBroken: false };
    const upload = await RunningUpload.begin(limiter, verdict, honest);
    const running = await Promise.all(
      plans.map((other) => ByteAllowance.open(limiter, verdict, other.announced ?? 0)),
    );
    for (const turn of turns) await running[turn]?.spend(150).catch(() => {});
    for (const _chunk of honest.chunks) expect(await upload.step(0)).toBe('running');
    expect(await upload.step(0)).toBe('billed');
  });
  await fc.assert(property);
});
