import type { BucketName, Client } from '@hearth/sdk';

/** Shorter waits nobody notices. */
const WORTH_TELLING_MS = 500;

/** Tells how long a request waits for its limit, `in 3 s`, once for each time frame. Gives what ends that. */
export function tellLimit(
  client: Client,
  buckets: readonly BucketName[],
  tell: (when: string) => void,
): () => void {
  let toldUntilMs = 0;
  return client.on('limit', ({ bucket, state: { waiting, freeAtMs, resetsAtMs } }) => {
    const nowMs = Date.now();
    // Where a request would be free to go, it is its bytes that have to wait.
    const untilMs = freeAtMs > nowMs ? freeAtMs : resetsAtMs;
    const waitMs = untilMs - nowMs;
    if (!buckets.includes(bucket) || waiting === 0 || waitMs < WORTH_TELLING_MS) return;
    // Clocks and answers differ by a little.
    if (untilMs <= toldUntilMs + WORTH_TELLING_MS) return;
    toldUntilMs = untilMs;
    tell(`in ${Math.ceil(waitMs / 1000)} s`);
  });
}
