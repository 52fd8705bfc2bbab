import type { BucketName, Client } from '@hearth/sdk';
import type { Surroundings } from '../command.ts';

/** The limits that count messages: of guests, and of people with an account. */
export const MESSAGE_LIMITS: readonly BucketName[] = ['message_create', 'message_send'];

/** Shorter waits are not reported. */
const SHORTEST_REPORTED_MS = 500;

/** Reports how long a request waits for its rate limit, as `in 3 s`, once per window. The returned function ends this. */
export function reportLimit(
  client: Client,
  buckets: readonly BucketName[],
  notice: (when: string) => void,
): () => void {
  let reportedUntilMs = 0;
  return client.on('limit', ({ bucket, state: { waiting, freeAtMs, resetsAtMs } }) => {
    const nowMs = Date.now();
    // If another request would be allowed now, the bytes of the upload have to wait until the limit resets.
    const untilMs = freeAtMs > nowMs ? freeAtMs : resetsAtMs;
    const waitMs = untilMs - nowMs;
    if (!buckets.includes(bucket) || waiting === 0 || waitMs < SHORTEST_REPORTED_MS) return;
    // Two reports of the same wait can differ by a few milliseconds.
    if (untilMs <= reportedUntilMs + SHORTEST_REPORTED_MS) return;
    reportedUntilMs = untilMs;
    notice(`in ${Math.ceil(waitMs / 1000)} s`);
  });
}

/** Reports that something waits because too much is happening at its place, once for each such wait. The returned function ends this. */
export function reportBusy(
  client: Pick<Client, 'on'>,
  notice: (sentence: string) => void,
): () => void {
  const repeating = new Set<BucketName>();
  return client.on('limit', ({ bucket, state }) => {
    if (state.repeating === 0) repeating.delete(bucket);
    else if (!repeating.has(bucket)) {
      repeating.add(bucket);
      notice('too much is happening there at once, trying again');
    }
  });
}

/** Prints these notices on standard error if that is a terminal. */
export function warnOfBusy(
  client: Pick<Client, 'on'>,
  { streams, warn }: Pick<Surroundings, 'streams' | 'warn'>,
): void {
  if (streams.stderr.isTTY) reportBusy(client, (sentence) => warn(`hearth: ${sentence}\n`));
}
