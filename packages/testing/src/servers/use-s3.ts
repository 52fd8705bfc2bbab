import { afterAll, beforeAll } from 'bun:test';
import { testRun } from '../test-run.ts';
import { bucketAt, type S3Bucket } from './s3-bucket.ts';
import { IS_S3_SKIPPED, startS3Server, warnIfS3Skipped, type S3Server } from './s3-server.ts';

const START_MS = 150_000;

/** The bucket of a test file. Other files may share it, so the objects of a test have their own prefix. */
export function useS3(): () => S3Bucket {
  return useOpened(sharedS3);
}

/** A test file's own S3 server, which its tests may stop and pause. */
export function useOwnS3(): () => S3Server {
  return useOpened(startS3Server);
}

/** The bucket of the run, or that of a new server. */
export async function sharedS3(): Promise<S3Bucket & AsyncDisposable> {
  if (testRun.s3 === undefined) return await startS3Server();
  return { ...bucketAt(testRun.s3), async [Symbol.asyncDispose]() {} };
}

function useOpened<T extends AsyncDisposable>(open: () => Promise<T>): () => T {
  let opened: T | undefined;
  warnIfS3Skipped();
  beforeAll(async () => {
    if (!IS_S3_SKIPPED) opened = await open();
  }, START_MS);
  afterAll(() => opened?.[Symbol.asyncDispose]());
  return () => {
    if (opened === undefined) throw new Error('the S3 server was not started');
    return opened;
  };
}
