import { describe, expect, test } from 'bun:test';
import { IS_S3_SKIPPED } from '@hearth/testing/servers/s3-server';
import { s3TestStore, type S3TestStore } from '@hearth/testing/servers/s3-store';
import { until } from '@hearth/testing/until';
import { useRelay } from '@hearth/testing/servers/use-relay';
import { useS3 } from '@hearth/testing/servers/use-s3';
import type { RemotePlace } from './blobs.ts';

const MIB = 1024 * 1024;
const TIMEOUT_MS = 120_000;
const BYTES = Buffer.alloc(24 * MIB, crypto.getRandomValues(new Uint8Array(65_537)));

const s3 = useS3();
const relayed = useRelay(s3);

/** A content that is read through the relay, unless another endpoint is given. */
async function stored(
  bytes = BYTES,
  endpoint = relayed().endpoint,
): Promise<S3TestStore & { place: RemotePlace }> {
  const store = await s3TestStore(s3(), endpoint);
  const blobs = store.openNow();
  const writer = await blobs.create();
  await writer.write(bytes);
  await writer.seal();
  await writer.release();
  const place = blobs.locate(writer.key);
  if (place.at !== 'remote') throw new Error('not in S3');
  return { ...store, place };
}

const gets = () => relayed().relay.requests.filter((line) => line.startsWith('GET')).length;

async function drain(reader: ReadableStreamDefaultReader<Uint8Array>): Promise<Buffer> {
  const chunks: Uint8Array[] = [];
  for (;;) {
    const { done, value } = await reader.read();
    if (done) return Buffer.concat(chunks);
    chunks.push(value);
  }
}

describe.skipIf(IS_S3_SKIPPED)('reading a content of S3', () => {
  test.each<[start: number, end: number]>([
    [0, BYTES.length],
    [0, 1],
    [BYTES.length - 1, BYTES.length],
    [65_535, 9_000_001],
    [7, 7],
  ])('a read returns exactly the bytes from %d up to %d', async (start, end) => {
    await using store = await stored();
    const got = await new Response(store.place.read({ start, end })).bytes();
    expect(Buffer.from(got).equals(BYTES.subarray(start, end))).toBe(true);
  });

  test('nothing is requested before the first read', async () => {
    await using store = await stored();
    const before = gets();
    const stream = store.place.read({ start: 0, end: 10 });
    await store.place.size();
    expect(gets()).toBe(before);
    await stream.cancel();
    expect(gets()).toBe(before);
  });

  test(
    'a read continues after the connection breaks',
    async () => {
      await using store = await stored();
      const { relay } = relayed();
      const before = gets();
      relay.limitAnswers(10 * MIB, 'cut');
      const reader = store.place.read({ start: 5, end: BYTES.length }).getReader();
      const first = (await reader.read()).value ?? Buffer.of();
      // The second attempt must start before the relay is restored.
      const rest = drain(reader);
      await until(async () => relay.wasLimited);
      relay.restore();
      const got = Buffer.concat([first, await rest]);
      expect(got.equals(BYTES.subarray(5))).toBe(true);
      expect(gets() - before).toBe(2);
    },
    TIMEOUT_MS,
  );

  test(
    'a read fails if S3 stays away, and the log contains no signature',
    async () => {
      await using store = await stored();
      relayed().relay.limitAnswers(10 * MIB, 'cut');
      const reader = store.place.read({ start: 0, end: BYTES.length }).getReader();
      await expect(drain(reader)).rejects.toThrow('S3 cannot be reached for GET');
      const logged = store.logged.join('');
      expect(logged).toContain('reading a content failed midway');
      expect(logged).not.toContain('X-Amz');
    },
    TIMEOUT_MS,
  );

  test(
    'a read fails if S3 stops answering',
    async () => {
      await using store = await stored();
      relayed().relay.limitAnswers(10 * MIB, 'hold');
      const reader = store.place.read({ start: 0, end: BYTES.length }).getReader();
      await expect(drain(reader)).rejects.toThrow('S3 did not answer GET');
    },
    TIMEOUT_MS,
  );

  test('a read fails if the content is missing or shorter than expected', async () => {
    await using store = await stored(Buffer.from('short'));
    const reading = new Response(store.place.read({ start: 0, end: 6 })).bytes();
    await expect(reading).rejects.toThrow('S3 sent fewer bytes than requested');
    const beyond = new Response(store.place.read({ start: 5, end: 6 })).bytes();
    await expect(beyond).rejects.toThrow('S3 answered 416');
    const gone = store.openNow().locate(crypto.randomUUID());
    if (gone.at !== 'remote') throw new Error('not in S3');
    expect(await gone.size()).toBeUndefined();
    const missing = new Response(gone.read({ start: 0, end: 1 })).bytes();
    await expect(missing).rejects.toThrow('S3 answered 404 NoSuchKey');
  });

  test(
    'a reader that takes nothing holds no connection, and can continue later',
    async () => {
      await using store = await stored();
      const { relay } = relayed();
      const reader = store.place.read({ start: 0, end: BYTES.length }).getReader();
      const first = (await reader.read()).value ?? Buffer.of();
      const whileReading = relay.openConnections;
      await until(async () => relay.openConnections < whileReading);
      const got = Buffer.concat([first, await drain(reader)]);
      expect(got.equals(BYTES)).toBe(true);
      expect(store.logged).toEqual([]);
    },
    TIMEOUT_MS,
  );

  test(
    'a cancelled reader ends its connection, and nothing is logged',
    async () => {
      await using store = await stored();
      const { relay } = relayed();
      const reader = store.place.read({ start: 0, end: BYTES.length }).getReader();
      await reader.read();
      const whileReading = relay.openConnections;
      await reader.cancel();
      await until(async () => relay.openConnections < whileReading);
      expect(store.logged).toEqual([]);
    },
    TIMEOUT_MS,
  );

  test(
    'more readers than may read at once all get everything',
    async () => {
      const bytes = BYTES.subarray(0, 65_536);
      await using store = await stored(bytes, s3().endpoint);
      const got = await Promise.all(
        Array.from({ length: 200 }, () =>
          new Response(store.place.read({ start: 0, end: bytes.length })).bytes(),
        ),
      );
      expect(got.every((one) => bytes.equals(one))).toBe(true);
    },
    TIMEOUT_MS,
  );
});
