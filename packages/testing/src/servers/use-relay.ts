import { afterAll, afterEach, beforeAll } from 'bun:test';
import { startRelay, type Relay } from './relay.ts';
import type { S3Bucket } from './s3-bucket.ts';
import { IS_S3_SKIPPED } from './s3-server.ts';

/** A relay to the S3 server of a test file, which its tests can disturb. Each test begins with an open relay. */
export function useRelay(s3: () => S3Bucket): () => { relay: Relay; endpoint: string } {
  let relay: Relay | undefined;
  beforeAll(async () => {
    if (!IS_S3_SKIPPED) relay = await startRelay(Number(new URL(s3().endpoint).port));
  });
  afterEach(() => relay?.restore());
  afterAll(() => relay?.[Symbol.asyncDispose]());
  return () => {
    if (relay === undefined) throw new Error('the relay was not started');
    return { relay, endpoint: `http://127.0.0.1:${relay.port}` };
  };
}
