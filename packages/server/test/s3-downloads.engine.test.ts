import { afterAll, beforeAll, describe, expect, test } from 'bun:test';
import { downloadsContract } from '@hearth/testing/instances/downloads.contract';
import { startFilesOnS3, type FilesOnS3 } from '@hearth/testing/servers/files-on-s3';
import { RawConnection, requestLines } from '@hearth/testing/clients/raw-http';
import { readError } from '@hearth/testing/clients/read-error';
import { IS_S3_SKIPPED } from '@hearth/testing/servers/s3-server';
import { until } from '@hearth/testing/until';
import {
  encodeForm,
  filePart,
  postForm,
  randomBytes,
  upload,
} from '@hearth/testing/clients/upload-form';
import { useRelay } from '@hearth/testing/servers/use-relay';
import { useOwnS3 } from '@hearth/testing/servers/use-s3';

const TIMEOUT_MS = 120_000;
const SMALL = randomBytes(200 * 1024);
const LARGE = randomBytes(24 * 1024 * 1024);

const s3 = useOwnS3();
const relayed = useRelay(s3);

downloadsContract('from S3:', () => startFilesOnS3(s3()), {
  skip: IS_S3_SKIPPED,
  areLargeStreamed: true,
});

describe.skipIf(IS_S3_SKIPPED)('a file service with its contents in S3', () => {
  let service: FilesOnS3;
  let files: string;

  beforeAll(async () => {
    service = await startFilesOnS3(s3(), relayed().endpoint);
    ({ files } = service);
  });

  afterAll(() => service[Symbol.asyncDispose]());

  const requests = (method: string) =>
    relayed().relay.requests.filter((line) => line.startsWith(`${method} `)).length;

  async function bytesOf(path: string, headers: Record<string, string> = {}): Promise<Buffer> {
    const answer = await fetch(files + path, { headers });
    expect(answer.ok).toBe(true);
    return Buffer.from(await answer.arrayBuffer());
  }

  test('a small content is fetched once, however many clients request it at the same time and later', async () => {
    const { id } = await upload(files, SMALL, 'a.bin');
    const before = requests('GET');
    const all = await Promise.all(Array.from({ length: 50 }, () => bytesOf(`/${id}`)));
    // After a commit, each answer is looked up again, but no bytes are fetched again.
    await upload(files, 'other', 'b.txt');
    all.push(await bytesOf(`/attachments/${id}`), await bytesOf(`/${id}/download`));
    expect(all.every((bytes) => bytes.equals(SMALL))).toBe(true);
    const part = await bytesOf(`/${id}`, { Range: 'bytes=10-19' });
    expect(part.equals(SMALL.subarray(10, 20))).toBe(true);
    expect(requests('GET') - before).toBe(1);
  });

  test('[HT4] nothing of a large content is read for HEAD', async () => {
    const { id } = await upload(files, LARGE, 'a.bin');
    const before = requests('GET');
    const answer = await fetch(`${files}/${id}`, { method: 'HEAD' });
    expect(answer.headers.get('content-length')).toBe(String(LARGE.length));
    expect(requests('GET')).toBe(before);
  });

  test.each<[size: string, bytes: Buffer]>([
    ['small', randomBytes(1_000)],
    ['large', randomBytes(300 * 1024)],
  ])('answers with 404 if a %s content is missing or damaged', async (_size, bytes) => {
    const { id } = await upload(files, bytes, 'a.bin');
    const objects = await service.store.objects();
    const blobs = service.store.openNow();
    for (const object of objects) {
      const key = object.replace('contents/', '');
      const place = blobs.locate(key);
      const size = place.at === 'remote' ? await place.size() : undefined;
      if (size === bytes.length) await service.store.overwrite(key, 'damaged');
    }
    expect((await readError(await fetch(`${files}/${id}`))).status).toBe(404);
  });

  test(
    'an answer is cut if S3 does not send the rest of it',
    async () => {
      const { id } = await upload(files, LARGE, 'a.bin');
      relayed().relay.limitAnswers(10 * 1024 * 1024, 'cut');
      using connection = await RawConnection.connect(files);
      await connection.send(requestLines('GET', `/${id}`));
      const received = await connection.rest();
      expect(received).toStartWith('HTTP/1.1 200 OK\r\n');
      expect(received.length).toBeLessThan(LARGE.length);
      expect(received).not.toEndWith('\r\n0\r\n\r\n');
      relayed().relay.restore();
      expect((await bytesOf(`/${id}`)).equals(LARGE)).toBe(true);
    },
    TIMEOUT_MS,
  );

  test(
    'the connection to S3 is closed when the reader has disconnected, which is not a fault',
    async () => {
      const { id } = await upload(files, LARGE, 'a.bin');
      const loggedBefore = service.logged.length;
      const { relay } = relayed();
      const connection = await RawConnection.connect(files);
      const before = requests('GET');
      await connection.send(requestLines('GET', `/${id}`));
      await until(async () => requests('GET') > before);
      const { openConnections } = relay;
      connection[Symbol.dispose]();
      await until(async () => relay.openConnections < openConnections);
      expect(service.logged).toHaveLength(loggedBefore);
      expect((await bytesOf(`/${id}`)).equals(LARGE)).toBe(true);
    },
    TIMEOUT_MS,
  );

  test(
    'answers with 500 in time while S3 is paused, records nothing, and still serves what it has in memory',
    async () => {
      const small = (await upload(files, SMALL, 'a.bin')).id;
      const large = (await upload(files, LARGE, 'a.bin')).id;
      await bytesOf(`/${small}`);
      s3().pause();
      try {
        const startedAt = performance.now();
        const failed = await postForm(files, encodeForm(filePart(randomBytes(1_000))));
        expect((await readError(failed)).status).toBe(500);
        // Twice the guaranteed time, for a machine that may be busy with other work.
        expect(performance.now() - startedAt).toBeLessThan(20_000);
        expect((await readError(await fetch(`${files}/${large}`))).status).toBe(500);
        expect((await bytesOf(`/${small}`)).equals(SMALL)).toBe(true);
      } finally {
        s3().resume();
      }
      expect((await bytesOf(`/${large}`)).equals(LARGE)).toBe(true);
      const log = service.logged.join('');
      expect(log).toContain('S3 did not answer');
      for (const secret of ['X-Amz', s3().credentials.secretAccessKey]) {
        expect(log).not.toContain(secret);
      }
    },
    TIMEOUT_MS,
  );
});
