import { describe, expect, test } from 'bun:test';
import { readdir } from 'node:fs/promises';
import { useRelay } from '@hearth/testing/servers/use-relay';
import { IS_S3_SKIPPED } from '@hearth/testing/servers/s3-server';
import { s3TestStore } from '@hearth/testing/servers/s3-store';
import { readContent } from '@hearth/testing/ports/stored-content';
import { until } from '@hearth/testing/until';
import { uploadingProcess } from '@hearth/testing/servers/upload-to-s3';
import { useS3 } from '@hearth/testing/servers/use-s3';
import {
  expectNoSecrets,
  expectNothingAfterSweep,
  failureOf,
  kept,
  written,
} from '@hearth/testing/ports/s3-contents';
import { blobsContract } from './blobs.contract.ts';
import { checkS3, type S3Access } from './s3-store.ts';

const MIB = 1024 * 1024;
const TIMEOUT_MS = 120_000;

const s3 = useS3();
const relayed = useRelay(s3);

blobsContract('S3', () => s3TestStore(s3()), { skip: IS_S3_SKIPPED });

const s3Describe = describe.skipIf(IS_S3_SKIPPED);

s3Describe('in the bucket', () => {
  test('a content has a marker until it is recorded, and only one object afterwards', async () => {
    await using store = await s3TestStore(s3());
    const writer = await written(store.openNow(), 'x');
    expect(await store.objects()).toEqual([]);
    await writer.seal();
    const both = [`contents/${writer.key}`, `incoming/${writer.key}`];
    expect(await store.objects()).toEqual(both);
    expect(await store.objects()).toEqual(both);
    await writer.release();
    expect(await store.list()).toEqual([`contents/${writer.key}`]);
  });

  test('objects outside the prefix, and names that are not keys, are not touched', async () => {
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
    'recovery finds more objects than fit in one page of a list',
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

  test('[SC19] recovery keeps contents that a writer may still own, even on the same machine', async () => {
    await using store = await s3TestStore(s3());
    const blobs = store.openNow();
    const [open, sealed] = [await written(blobs, 'one'), await written(blobs, 'two')];
    await sealed.seal();
    await store.openNow().recover(() => Promise.resolve(false));
    await open.write(Buffer.from(' more'));
    await open.seal();
    for (const writer of [open, sealed]) {
      await writer.release();
    }
    expect((await readContent(blobs, open.key)).toString()).toBe('one more');
    expect((await readContent(blobs, sealed.key)).toString()).toBe('two');
  });

  test('the same bytes of two processes are kept once, and are not uploaded again to replace themselves', async () => {
    await using store = await s3TestStore(s3(), relayed().endpoint);
    const [one, two] = [store.openNow(), store.openNow()];
    const [first, second] = [await written(one, 'same'), await written(two, 'same')];
    await Promise.all([first.seal(), second.seal()]);
    await first.release();
    const { requests } = relayed().relay;
    const before = requests.length;
    await second.restore(first.key, async () => true);
    const asked = requests.slice(before);
    expect(asked.map((line) => line.split(' ')[0])).toEqual(['HEAD']);
    await second.discard();
    expect(await store.list()).toEqual([`contents/${first.key}`]);
    expect((await readContent(two, first.key)).toString()).toBe('same');
  });

  test('lost bytes are restored by the next upload of the same content', async () => {
    await using store = await s3TestStore(s3());
    const blobs = store.openNow();
    const lost = await kept(blobs, 'same');
    await blobs.remove(lost);
    const writer = await written(blobs, 'same');
    await writer.seal();
    await writer.restore(lost, async () => true);
    await writer.discard();
    expect((await readContent(blobs, lost)).toString()).toBe('same');
    expect(await store.list()).toEqual([`contents/${lost}`]);
  });
});

s3Describe('an interrupted upload', () => {
  test(
    'an upload is tried once more if the connection breaks',
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
      await writer.release();
      expect(await store.list()).toEqual([`contents/${writer.key}`]);
    },
    TIMEOUT_MS,
  );

  test(
    'an upload whose connection always breaks fails and leaves no object, and nothing after recovery',
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
    'the upload of a killed process leaves nothing after recovery',
    async () => {
      await using store = await s3TestStore(s3(), relayed().endpoint);
      const { relay } = relayed();
      relay.limitRequests(2 * MIB, 'hold');
      {
        await using child = uploadingProcess(store.access, store.spoolFolder);
        await child.send(String(16 * MIB));
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

s3Describe('memory', () => {
  test(
    'memory does not grow with the size of what is uploaded and read',
    async () => {
      await using store = await s3TestStore(s3());
      await using child = uploadingProcess(store.access, store.spoolFolder);
      const peak = async (sizeBytes: number) => {
        await child.send(String(sizeBytes));
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
  test('the check passes if contents can be kept, and leaves no object', async () => {
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
      'nothing listens',
      'ConnectionRefused',
      (access) => ({ ...access, address: { ...access.address, endpoint: 'http://127.0.0.1:1' } }),
    ],
  ])('the check reports the error if %s', async (_what, says, wrong) => {
    await using store = await s3TestStore(s3());
    const access = wrong(store.access);
    const said = await failureOf(checkS3(access));
    expect(said).toContain(says);
    expect(said).not.toContain(access.credentials.secretAccessKey);
  });
});
