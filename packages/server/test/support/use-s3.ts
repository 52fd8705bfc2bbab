import { afterAll, beforeAll } from 'bun:test';
import { IS_S3_SKIPPED, startS3Server, tellIfS3Skipped, type S3Server } from './s3-server.ts';

const START_MS = 150_000;

/** The one S3 server of a test file, which runs while its tests do. */
export function useS3(): () => S3Server {
  let server: S3Server | undefined;
  tellIfS3Skipped();
  beforeAll(async () => {
    if (!IS_S3_SKIPPED) server = await startS3Server();
  }, START_MS);
  afterAll(() => server?.[Symbol.asyncDispose]());
  return () => {
    if (server === undefined) throw new Error('the S3 server was not started');
    return server;
  };
}
