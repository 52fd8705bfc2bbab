import { describe, expect, test } from 'bun:test';
import { readdir } from 'node:fs/promises';
import { useRelay } from '../../../test/support/use-relay.ts';
import { IS_S3_SKIPPED } from '../../../test/support/s3-server.ts';
import { s3TestStore, type S3TestStore } from '../../../test/support/s3-store.ts';
import { isContentThere, readContent } from '../../../test/support/stored-content.ts';
import { until } from '../../../test/support/until.ts';
import { uploadingProcess } from '../../../test/support/upload-to-s3.ts';
import { useS3 } from '../../../test/support/use-s3.ts';
import { blobsContract } from './blobs.contract.ts';
import type { Blobs, BlobWriter } from './blobs.ts';
import { checkS3, type S3Access } from './s3-store.ts';

const MIB = 1024 * 1024;
const TIMEOUT_MS = 120_000;

const s3 = useS3();
const relayed = useRelay(s3);

blobsContract('S3', () => s3TestStore(s3()), { skip: IS_S3_SKIPPED });

const s3Describe = describe.skipIf(IS_S3_SKIPPED);

async function written(blobs: Blobs, bytes: Uint8Array | string): Promise<BlobWriter> {
  const writer = await blobs.create();
  await writer.write(typeof bytes === 'string' ? Buffer.from(bytes) : bytes);
  return writer;
}

async function kept(blobs: Blobs, bytes: Uint8Array | string): Promise<string> {
  const writer = await written(blobs, bytes);
  await writer.seal();
  await writer.publish();
  await writer.release();
  return writer.key;
}

async function failureOf(promise: Promise<unknown>): Promise<string> {
  return promise.then(
    () => 'did not fail',
    (error: unknown) => String(error),
  );
}

/** Expects that nothing is left when everything that was abandoned is swept. */
async function expectNothingAfterSweep(store: S3TestStore): Promise<void> {
  await (await store.open()).recover(() => Promise.resolve(false));
  expect(await store.list()).toEqual([]);
}

function expectNoSecrets(text: string, { credentials }: S3Access): void {
  for (const secret of [credentials.secretAccessKey, credentials.accessKeyId, 'X-Amz']) {
    expect(text).not.toContain(secret);
  }
}

s3Describe('in the bucket', () => {
  test('a content has a marker until it is recorded, and one object then', async () => {
    await using store = await s3TestStore(s3());
    const writer = await written(store.openNow(), 'x');
    expect(await store.objects()).toEqual([]);
    await writer.seal();
    const both = [`contents/${writer.key}`, `incoming/${writer.key}`];
    expect(await store.objects()).toEqual(both);
    await writer.publish();
    expect(await store.objects()).toEqual(both);
    await writer.release();
    expect(await store.list()).toEqual([`contents/${writer.key}`]);
  });

  test('what is beside the prefix, and what is no key, is nobody else’s business', async () => {
    await using store = await s3TestStore(s3());
    const { prefix } = store.access.address;
    const others = ['incoming/notes.txt', 'contents/readme', `incoming/${crypto.randomUUID()}.bak`];
    for (const key of others) await s3().put(`${prefix}/${key}`, 'not of Hearth');
    const beside = `${prefix}-other/incoming/${crypto.randomUUID()}`;
    await s3().put(beside, '');
    const blobs = await store.open();
    const asked: string[] = [];
    await blobs.recover(async (key) => {
      asked.push(key);
      return false;
    });
    expect(asked).toEqual([]);
    expect(new Set(await store.objects())).toEqual(new Set(others));
    expect(await s3().get(beside)).toBeDefined();
    expect(await blobs.isEmpty()).toBe(true);
  });

  test(
    'more objects than one list tells are all swept',
    async () => {
      await using store = await s3TestStore(s3());
      const { prefix } = store.access.address;
      const keys = Array.from({ length: 1_100 }, () => crypto.randomUUID());
      for (let at = 0; at < keys.length; at += 50) {
        await Promise.all(
          keys.slice(at, at + 50).map((key) => s3().put(`${prefix}/incoming/${key}`, '')),
        );
      }
      const asked: string[] = [];
      await (
        await store.open()
      ).recover(async (key) => {
        asked.push(key);
        return true;
      });
      expect(asked.toSorted()).toEqual(keys.toSorted());
      expect(await store.list()).toEqual([]);
    },
    TIMEOUT_MS,
  );

  test('[SC19] what may still be somebody’s is not swept, on this machine neither', async () => {
    await using store = await s3TestStore(s3());
    const blobs = store.openNow();
    const [open, sealed] = [await written(blobs, 'one'), await written(blobs, 'two')];
    await sealed.seal();
    await store.openNow().recover(() => Promise.resolve(false));
    await open.write(Buffer.from(' more'));
    await open.seal();
    for (const writer of [open, sealed]) {
      await writer.publish();
      await writer.release();
    }
    expect((await readContent(blobs, open.key)).toString()).toBe('one more');
    expect((await readContent(blobs, sealed.key)).toString()).toBe('two');
  });

  test('the same bytes of two processes are kept once, and not put a second time over themselves', async () => {
    await using store = await s3TestStore(s3(), relayed().endpoint);
    const [one, two] = [store.openNow(), store.openNow()];
    const [first, second] = [await written(one, 'same'), await written(two, 'same')];
    await Promise.all([first.seal(), second.seal()]);
    await first.publish();
    await first.release();
    const { requests } = relayed().relay;
    const before = requests.length;
    await second.publish(first.key);
    const asked = requests.slice(before);
    expect(asked.map((line) => line.split(' ')[0])).toEqual(['HEAD']);
    await second.discard();
    expect(await store.list()).toEqual([`contents/${first.key}`]);
    expect((await readContent(two, first.key)).toString()).toBe('same');
  });

  test('bytes that were lost come back with the next upload of the same', async () => {
    await using store = await s3TestStore(s3());
    const blobs = store.openNow();
    const lost = await kept(blobs, 'same');
    await blobs.remove(lost);
    const writer = await written(blobs, 'same');
    await writer.seal();
    await writer.publish(lost);
    await writer.discard();
    expect((await readContent(blobs, lost)).toString()).toBe('same');
    expect(await store.list()).toEqual([`contents/${lost}`]);
  });
});

s3Describe('an upload that breaks off', () => {
  test(
    'is tried once more where a connection broke',
    async () => {
      await using store = await s3TestStore(s3(), relayed().endpoint);
      const { relay } = relayed();
      const bytes = crypto.getRandomValues(new Uint8Array(65_536));
      const writer = await written(store.openNow(), Buffer.concat([bytes, bytes, bytes]));
      relay.limitRequests(100_000, 'cut');
      const sealed = writer.seal();
      await until(
        async () => relay.requests.filter((line) => line.includes(writer.key)).length > 1,
      );
      relay.restore();
      await sealed;
      await writer.publish();
      await writer.release();
      expect(await store.list()).toEqual([`contents/${writer.key}`]);
    },
    TIMEOUT_MS,
  );

  test(
    'again and again fails and leaves no object, and after a sweep nothing',
    async () => {
      await using store = await s3TestStore(s3(), relayed().endpoint);
      const { relay } = relayed();
      const writer = await written(store.openNow(), new Uint8Array(8 * MIB));
      relay.limitRequests(2 * MIB, 'cut');
      const failure = await failureOf(writer.seal());
      expect(failure).toContain(`S3 cannot be reached for PUT`);
      expectNoSecrets(failure, store.access);
      relay.restore();
      await writer.discard();
      expect((await store.objects()).filter((key) => key.startsWith('contents/'))).toEqual([]);
      expect(await readdir(store.spoolFolder)).toEqual([]);
      await expectNothingAfterSweep(store);
    },
    TIMEOUT_MS,
  );

  test(
    'because its process was killed leaves nothing after a sweep',
    async () => {
      await using store = await s3TestStore(s3(), relayed().endpoint);
      const { relay } = relayed();
      relay.limitRequests(2 * MIB, 'hold');
      {
        await using child = uploadingProcess(store.access, store.spoolFolder);
        await child.tell(String(16 * MIB));
        const key = await child.says();
        await until(async () => relay.requests.some((line) => line.endsWith(`contents/${key}`)));
        await child.kill();
        expect(await store.objects()).toEqual([`incoming/${key}`]);
      }
      relay.restore();
      expect(await readdir(store.spoolFolder)).toHaveLength(1);
      await expectNothingAfterSweep(store);
    },
    TIMEOUT_MS,
  );
});

s3Describe('S3 that is away', () => {
  // Twice what is promised, for a machine that has other things to do.
  const MOST_MS = 20_000;

  /** How long a failure takes, in milliseconds; and what it says. */
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
    'paused fails an upload in time; when it goes on, so does everything, and nothing is left',
    async () => {
      await using store = await s3TestStore(s3());
      const blobs = store.openNow();
      const key = await kept(blobs, 'before');
      const writer = await written(blobs, 'meanwhile');
      s3().pause();
      try {
        const { ms, said } = await timed(() => sealAndDiscard(writer));
        expect(ms).toBeLessThan(MOST_MS);
        expect(said).toMatch(/S3 did not answer to PUT .* within 3 s/);
        expect(await failureOf(readContent(blobs, key))).toContain('S3 did not answer to HEAD');
        expect(await failureOf(blobs.isEmpty())).toContain('S3 did not answer to a list');
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
    'silent in the middle of an upload fails it in time',
    async () => {
      await using store = await s3TestStore(s3(), relayed().endpoint);
      const { relay } = relayed();
      const writer = await written(store.openNow(), new Uint8Array(32 * MIB));
      relay.limitRequests(MIB, 'hold');
      const { ms, said } = await timed(() => sealAndDiscard(writer));
      expect(ms).toBeLessThan(MOST_MS);
      expect(said).toMatch(/S3 did not answer to PUT .* within 5 s/);
      relay.restore();
      await expectNothingAfterSweep(store);
    },
    TIMEOUT_MS,
  );

  test(
    'stopped fails an upload at once; when it is back, everything goes on',
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
    'for many uploads at once fails each of them in time',
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

s3Describe('memory', () => {
  test(
    'does not grow with what is uploaded and read again',
    async () => {
      await using store = await s3TestStore(s3());
      await using child = uploadingProcess(store.access, store.spoolFolder);
      const peak = async (sizeBytes: number) => {
        await child.tell(String(sizeBytes));
        await child.says();
        return Number(await child.says());
      };
      const before = await peak(16 * MIB);
      expect((await peak(150 * MIB)) - before).toBeLessThan(32 * MIB);
    },
    TIMEOUT_MS,
  );
});

s3Describe('the check at a start', () => {
  test('has nothing to say where contents can be kept, and leaves nothing', async () => {
    await using store = await s3TestStore(s3());
    await checkS3(store.access);
    expect(await store.list()).toEqual([]);
  });

  test.each<[what: string, says: string, wrong: (access: S3Access) => S3Access]>([
    [
      'the key is unknown',
      'InvalidAccessKeyId',
      (access) => ({ ...access, credentials: { ...access.credentials, accessKeyId: 'nobody' } }),
    ],
    [
      'the secret is wrong',
      'SignatureDoesNotMatch',
      (access) => ({ ...access, credentials: { ...access.credentials, secretAccessKey: 'no' } }),
    ],
    [
      'there is no such bucket',
      'NoSuchBucket',
      (access) => ({ ...access, address: { ...access.address, bucket: 'nowhere' } }),
    ],
    [
      'nobody listens',
      'ConnectionRefused',
      (access) => ({ ...access, address: { ...access.address, endpoint: 'http://127.0.0.1:1' } }),
    ],
  ])('tells it where %s', async (_what, says, wrong) => {
    await using store = await s3TestStore(s3());
    const access = wrong(store.access);
    const said = await failureOf(checkS3(access));
    expect(said).toContain(says);
    expect(said).not.toContain(access.credentials.secretAccessKey);
  });
});
