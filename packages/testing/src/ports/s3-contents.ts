import { expect } from 'bun:test';
import type { Blobs, BlobWriter } from '../../../server/src/ports/blobs/blobs.ts';
import type { S3Access } from '../../../server/src/ports/blobs/s3-store.ts';
import type { S3TestStore } from '../servers/s3-store.ts';

/** A writer that got these bytes and was not sealed. */
export async function written(blobs: Blobs, bytes: Uint8Array | string): Promise<BlobWriter> {
  const writer = await blobs.create();
  await writer.write(typeof bytes === 'string' ? Buffer.from(bytes) : bytes);
  return writer;
}

/** Stores a content and returns its key. */
export async function kept(blobs: Blobs, bytes: Uint8Array | string): Promise<string> {
  const writer = await written(blobs, bytes);
  await writer.seal();
  await writer.release();
  return writer.key;
}

/** The error that a promise rejects with. */
export async function failureOf(promise: Promise<unknown>): Promise<string> {
  return promise.then(
    () => 'did not fail',
    (error: unknown) => String(error),
  );
}

/** Expects that nothing is left after all abandoned writers were swept. */
export async function expectNothingAfterSweep(store: S3TestStore): Promise<void> {
  await (await store.open()).recover(() => Promise.resolve(false));
  expect(await store.list()).toEqual([]);
}

/** Expects that a text has no part of the credentials that sign requests. */
export function expectNoSecrets(text: string, { credentials }: S3Access): void {
  for (const secret of [credentials.secretAccessKey, credentials.accessKeyId, 'X-Amz']) {
    expect(text).not.toContain(secret);
  }
}
