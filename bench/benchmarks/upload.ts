import { randomBytes } from 'node:crypto';
import type { Benchmark, Goal, Row, Settings } from '../benchmark.ts';
import { compare } from '../compare.ts';
import { uploadFile, uploadLoad } from '../load/upload-load.ts';
import { HEARTH } from '../subjects/hearth.ts';
import { bunYardstick } from '../subjects/yardstick.ts';

const BYTES_A_MEGABYTE = 1_000_000;
const BLOCK_BYTES = BYTES_A_MEGABYTE;
const SAMPLE_MS = 5;

const SINK = bunYardstick('to disk with SHA-256', 'upload-sink.ts');
const SYNCED_SINK = bunYardstick('to disk with SHA-256 and sync', 'upload-sink.ts');

const LOG_LINE = '2026-11-21T17:05:42.318Z INFO  “Grüße” from the café: upload taken in 318 ms\n';

/** What files are made of. */
interface Content {
  readonly name: string;
  readonly block: Uint8Array;
  readonly goal?: Goal;
}

const RANDOM: Content = {
  name: 'random bytes',
  block: randomBytes(BLOCK_BYTES),
  goal: { least: 0.6 },
};

/** More work than others: whether bytes are text is known after the last one only. */
const TEXT: Content = {
  name: 'text',
  block: Buffer.from(LOG_LINE.repeat(BLOCK_BYTES / Buffer.byteLength(LOG_LINE))),
};

/** Uploads in flight at a time, and how large each is; FS16 says that the size does not matter. */
const FLIGHTS: readonly { readonly uploads: number; readonly megabytes: number }[] = [
  { uploads: 1, megabytes: 100 },
  { uploads: 4, megabytes: 100 },
  { uploads: 16, megabytes: 100 },
  { uploads: 1, megabytes: 400 },
];

/** One upload at a time, and what the memory of the process grows by while uploads are in flight. */
export const UPLOAD: Benchmark = {
  name: 'upload',
  about: 'upload of a file of 100 MB, and the memory that uploads in flight take',
  async *run(settings) {
    for (const content of [RANDOM, TEXT]) yield* rates(settings, content);
    for (const flight of FLIGHTS) yield await growth(settings, flight);
  },
};

function rates(settings: Settings, { name, block, goal }: Content): AsyncGenerator<Row> {
  const sizeBytes = sizeOf(100, settings);
  return compare(
    {
      work: `upload of ${sizeBytes / BYTES_A_MEGABYTE} MB of ${name}`,
      operation: 'MB',
      measure: 'rate',
      ours: HEARTH,
      yardsticks: [SINK, SYNCED_SINK],
      ...(goal === undefined ? {} : { goal }),
      async load({ ports }, subject) {
        const path = subject === SYNCED_SINK ? '/synced' : '/';
        return uploadLoad({ port: ports.files, path, sizeBytes, block });
      },
    },
    settings,
  );
}

/** Starts an instance for the flight alone, so that nothing left of another one can hide what it takes. */
async function growth(
  settings: Settings,
  { uploads, megabytes }: (typeof FLIGHTS)[number],
): Promise<Row> {
  const sizeBytes = sizeOf(megabytes, settings);
  await using running = await HEARTH.start();
  const { block } = RANDOM;
  const upload = (bytes: number) =>
    uploadFile({ port: running.ports.files, path: '/', sizeBytes: bytes, block });
  // The code of it is loaded once and stays; a large one might leave memory that the flight then takes again.
  await upload(BYTES_A_MEGABYTE);
  const before = running.residentBytes;
  let peak = before;
  const sampler = setInterval(() => {
    peak = Math.max(peak, running.residentBytes);
  }, SAMPLE_MS);
  try {
    await Promise.all(Array.from({ length: uploads }, () => upload(sizeBytes)));
  } finally {
    clearInterval(sampler);
  }
  const grownMegabytes =
    (Math.max(peak, running.residentBytes) - before) / BYTES_A_MEGABYTE / uploads;
  return {
    work: `memory, ${uploads} in flight of ${sizeBytes / BYTES_A_MEGABYTE} MB`,
    subject: HEARTH.name,
    value: grownMegabytes,
    unit: 'MB each',
    residentBytes: peak,
    goal: { most: 12 },
  };
}

function sizeOf(megabytes: number, { isShort }: Settings): number {
  return (isShort ? 1 : megabytes) * BYTES_A_MEGABYTE;
}
