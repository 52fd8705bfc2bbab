import { describe, expect, test } from 'bun:test';
import { useRelay } from '@hearth/testing/servers/use-relay';
import { IS_S3_SKIPPED } from '@hearth/testing/servers/s3-server';
import { s3TestStore } from '@hearth/testing/servers/s3-store';
import { isContentThere, readContent } from '@hearth/testing/ports/stored-content';
import { until } from '@hearth/testing/until';
import { useOwnS3 } from '@hearth/testing/servers/use-s3';
import {
  expectNoSecrets,
  expectNothingAfterSweep,
  failureOf,
  kept,
  written,
} from '@hearth/testing/ports/s3-contents';
import type { BlobWriter } from './blobs.ts';

const MIB = 1024 * 1024;
const TIMEOUT_MS = 120_000;

const s3 = useOwnS3();
const relayed = useRelay(s3);

const s3Describe = describe.skipIf(IS_S3_SKIPPED);

s3Describe('while S3 is away', () => {
  // Twice the promised time, because the machine may be busy.
  const MOST_MS = 20_000;

  /** The time until a failure in milliseconds, and its message. */
  async function timed(work: () => Promise<void>): Promise<{ ms: number; said: string }> {
    const startedAt = performance.now();
    const said = await failureOf(work());
    return { ms: performance.now() - startedAt, said };
  }

  async function sealAndDiscard(writer: BlobWriter): Promise<void> {
    try {
      await writer.seal();
    } finally {
      await writer.discard();
    }
  }

  test(
    'if S3 is paused, an upload fails in time; afterwards everything works again and nothing is left',
    async () => {
      await using store = await s3TestStore(s3());
      const blobs = store.openNow();
      const key = await kept(blobs, 'before');
      const writer = await written(blobs, 'meanwhile');
      s3().pause();
      try {
        const [{ ms, said }, whenRead, whenListed] = await Promise.all([
          timed(() => sealAndDiscard(writer)),
          failureOf(readContent(blobs, key)),
          failureOf(blobs.isEmpty()),
        ]);
        expect(ms).toBeLessThan(MOST_MS);
        expect(said).toMatch(/S3 did not answer PUT .* within 3 s/);
        expect(whenRead).toContain('S3 did not answer HEAD');
        expect(whenListed).toContain('S3 did not answer a list');
      } finally {
        s3().resume();
      }
      expect((await readContent(blobs, key)).toString()).toBe('before');
      await kept(blobs, 'after');
      expect(await isContentThere(blobs, writer.key)).toBe(false);
      await (await store.open()).recover(async () => false);
      expect(await store.list()).toHaveLength(2);
    },
    TIMEOUT_MS,
  );

  test(
    'if S3 stops answering during an upload, the upload fails in time',
    async () => {
      await using store = await s3TestStore(s3(), relayed().endpoint);
      const { relay } = relayed();
      const writer = await written(store.openNow(), new Uint8Array(32 * MIB));
      relay.limitRequests(MIB, 'hold');
      const { ms, said } = await timed(() => sealAndDiscard(writer));
      expect(ms).toBeLessThan(MOST_MS);
      expect(said).toMatch(/S3 did not answer PUT .* within 5 s/);
      relay.restore();
      await expectNothingAfterSweep(store);
    },
    TIMEOUT_MS,
  );

  test(
    'S3 may take longer to answer after the last byte of a large upload',
    async () => {
      await using store = await s3TestStore(s3(), relayed().endpoint);
      const writer = await written(store.openNow(), new Uint8Array(8 * MIB));
      const { relay } = relayed();
      const failure = failureOf(sealAndDiscard(writer));
      await until(async () =>
        relay.requests.some((line) => line.endsWith(`contents/${writer.key}`)),
      );
      relay.limitAnswers(0, 'hold');
      expect(await failure).toMatch(/S3 did not answer PUT .* within 7 s/);
    },
    TIMEOUT_MS,
  );

  test(
    'if S3 is stopped, an upload fails at once; when it is back, everything works again',
    async () => {
      await using store = await s3TestStore(s3());
      const blobs = store.openNow();
      const key = await kept(blobs, 'before');
      const writer = await written(blobs, 'meanwhile');
      await s3().stop();
      try {
        const { ms, said } = await timed(() => sealAndDiscard(writer));
        expect(ms).toBeLessThan(MOST_MS);
        expect(said).toContain('S3 cannot be reached for PUT');
        expectNoSecrets(said, store.access);
      } finally {
        await s3().start();
      }
      await until(async () => isContentThere(blobs, key));
      expect((await readContent(blobs, key)).toString()).toBe('before');
      await kept(blobs, 'after');
      expect(await store.list()).toHaveLength(2);
    },
    TIMEOUT_MS,
  );

  test(
    'if S3 is paused, each of many uploads fails in time',
    async () => {
      await using store = await s3TestStore(s3());
      const blobs = store.openNow();
      const writers = await Promise.all(
        Array.from({ length: 200 }, (_, index) => written(blobs, `content ${index}`)),
      );
      s3().pause();
      try {
        const results = await Promise.all(
          writers.map((writer) => timed(() => sealAndDiscard(writer))),
        );
        for (const { ms, said } of results) {
          expect(ms).toBeLessThan(MOST_MS);
          expect(said).toContain('S3');
        }
      } finally {
        s3().resume();
      }
      await kept(blobs, 'after');
      await expectNothingAfterSweep(store).catch(() => {});
    },
    TIMEOUT_MS,
  );
});
