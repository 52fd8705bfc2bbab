import { photograph } from '@hearth/testing/clients/photograph';
import type { Benchmark, Row, Settings } from '../benchmark.ts';
import { compare } from '../compare.ts';
import { HttpLoad } from '../load/http-load.ts';
import { median } from '../statistics.ts';
import { HEARTH } from '../subjects/hearth.ts';
import { upload } from '../load/uploaded-file.ts';

/** A photograph, and the size in which a page shows it. */
const PHOTOGRAPH = { width: 2_400, height: 1_600 };
const PIXELS = 400;
const CONNECTIONS = 32;
const MICROSECONDS_A_SECOND = 1e6;
const PLAIN_FILE = 'the same bytes as a file';

/** Smaller versions of pictures: the first request, which makes one, and the later ones. */
export const MEDIA: Benchmark = {
  name: 'media',
  about: `GET of a picture in a size of ${PIXELS}: the first one, and 32 connections afterwards`,
  async *run(settings) {
    yield await firstRequests(settings);
    yield* compare(
      {
        work: `download of a picture in a size of ${PIXELS}`,
        operation: 'files',
        measure: 'rate',
        ours: HEARTH,
        yardsticks: [{ ...HEARTH, name: PLAIN_FILE }],
        async load({ ports: { files: port } }, { name }) {
          const path = await variantOf(port, 1);
          const answer = await bytesAt(port, path);
          const plain = name === PLAIN_FILE ? await upload(port, answer) : path;
          return new HttpLoad({ method: 'GET', port, path: plain, answer }, CONNECTIONS);
        },
      },
      settings,
    );
  },
};

/** Asks for one variant after the other, each of a picture of its own. */
async function firstRequests({ rounds }: Settings): Promise<Row> {
  await using running = await HEARTH.start();
  const { files } = running.ports;
  const milliseconds: number[] = [];
  const cpuMicroseconds: number[] = [];
  // The first one loads the library.
  for (let seed = 0; seed <= rounds; seed += 1) {
    const path = await variantOf(files, seed + 1);
    const cpuBefore = running.cpuSeconds;
    const startedAt = performance.now();
    await bytesAt(files, path);
    if (seed === 0) continue;
    milliseconds.push(performance.now() - startedAt);
    cpuMicroseconds.push((running.cpuSeconds - cpuBefore) * MICROSECONDS_A_SECOND);
  }
  return {
    work: `first request for a photograph of ${PHOTOGRAPH.width} × ${PHOTOGRAPH.height} in a size of ${PIXELS}`,
    subject: HEARTH.name,
    value: median(milliseconds),
    unit: 'ms',
    cpuMicroseconds: median(cpuMicroseconds),
  };
}

/** The path of a variant of a new picture. */
async function variantOf(port: number, seed: number): Promise<string> {
  const path = await upload(port, await photograph({ ...PHOTOGRAPH, seed }));
  return `${path.replace('/attachments/', '/media/')}?size=${PIXELS}`;
}

async function bytesAt(port: number, path: string): Promise<Uint8Array> {
  const answer = await fetch(`http://127.0.0.1:${port}${path}`);
  if (answer.headers.get('content-type') !== 'image/webp') {
    throw new Error(`not a variant: ${answer.status}`);
  }
  return answer.bytes();
}
