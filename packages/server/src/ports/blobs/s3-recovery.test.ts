import { expect, test } from 'bun:test';
import { systemClock } from '../../lib/clock.ts';
import { tempFolder } from '@hearth/testing/temp-folder';
import { jsonLogger } from '../../log/logger.ts';
import { s3Blobs } from './s3.ts';

const KEY = '0ba986e4-afdd-45cf-bb62-cfccdeecf273';
const CREDENTIALS = { accessKeyId: 'a', secretAccessKey: 'b', sessionToken: undefined };

/** Starts a server with one marker, of which it reports nothing but the name. */
function startUntold() {
  const deleted: string[] = [];
  const server = Bun.serve({
    port: 0,
    hostname: '127.0.0.1',
    fetch({ method, url }) {
      const { pathname, searchParams } = new URL(url);
      if (method === 'DELETE') deleted.push(pathname);
      if (method !== 'GET') return new Response(null, { status: 204 });
      const marker = `<Contents><Key>incoming/${KEY}</Key><Size>0</Size></Contents>`;
      const listed = searchParams.has('start-after') ? '' : marker;
      return new Response(`<ListBucketResult><Name>hearth</Name>${listed}</ListBucketResult>`);
    },
  });
  return { server, deleted };
}

test('[SC19] leftovers in S3 are not removed if their age is unknown', async () => {
  const { server, deleted } = startUntold();
  await using folder = await tempFolder();
  try {
    await using blobs = s3Blobs({
      address: { bucket: 'hearth', prefix: '', endpoint: server.url.origin, region: 'local' },
      credentials: CREDENTIALS,
      spoolFolder: folder.path,
      log: jsonLogger('silent', () => {}),
      clock: systemClock,
    });
    await blobs.recover(() => Promise.resolve(false));
    expect(deleted).toEqual([]);
  } finally {
    await server.stop(true);
  }
});
