import { randomBytes } from 'node:crypto';
import type { Benchmark, Goal, Row, Settings } from '../benchmark.ts';
import { compare } from '../compare.ts';
import { uploadFile, uploadLoad } from '../load/upload-load.ts';
import { median } from '../statistics.ts';
import { HEARTH } from '../subjects/hearth.ts';
import type { RunningSubject } from '../subjects/subject.ts';
import { bunYardstick } from '../subjects/yardstick.ts';

const BYTES_A_MEGABYTE = 1_000_000;
const BLOCK_BYTES = BYTES_A_MEGABYTE;
const SAMPLE_MS = 5;

/** Uploads before memory is measured, so that hot code is already compiled. */
const FIRST_UPLOADS = 4;
const FIRST_MEGABYTES = 100;

/** A process is at rest if its memory has not shrunk for this long. */
const REST_MS = 1_000;
const LONGEST_REST_MS = 10_000;

const SINK = bunYardstick('to disk with SHA-256', 'upload-sink.ts');
const SYNCED_SINK = bunYardstick('to disk with SHA-256 and sync', 'upload-sink.ts');

const LOG_LINE = '2026-11-21T17:05:42.318Z INFO  “Grüße” from the café: upload taken in 318 ms\n';

/** The content of the files. */
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

/** More work than other content: only the last byte decides whether the file is text. */
const TEXT: Content = {
  name: 'text',
  block: Buffer.from(LOG_LINE.repeat(BLOCK_BYTES / Buffer.byteLength(LOG_LINE))),
};

/** The number of uploads in flight at a time, and the size of each. FS16 says that the size does not matter. */
const FLIGHTS: readonly { readonly uploads: number; readonly megabytes: number }[] = [
  { uploads: 1, megabytes: 100 },
  { uploads: 4, megabytes: 100 },
  { uploads: 16, megabytes: 100 },
  { uploads: 1, megabytes: 400 },
];

/** One upload at a time, and by how much the memory of the process grows while uploads are in flight. */
export const UPLOAD: Benchmark = {
  name: 'upload',
  about: 'upload of a file of 100 MB, and the memory that uploads in flight take',
  async *run(settings) {
    for (const content of [RANDOM, TEXT]) yield* rates(settings, content);
    const left: number[] = [];
    for (const flight of FLIGHTS) {
      const { row, leftMegabytes } = await growth(settings, flight);
      yield row;
      left.push(leftMegabytes);
    }
    yield {
      work: 'memory that the first uploads of a process leave with it',
      subject: HEARTH.name,
      value: median(left),
      unit: 'MB',
    };
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

/**
 * Measures how much a process grows while it receives uploads, compared with its memory at rest after some uploads. It
 * also reports how much memory those first uploads leave in use: the runtime compiles hot code and keeps it.
 */
async function growth(
  settings: Settings,
  { uploads, megabytes }: (typeof FLIGHTS)[number],
): Promise<{ readonly row: Row; readonly leftMegabytes: number }> {
  const sizeBytes = sizeOf(megabytes, settings);
  await using running = await HEARTH.start();
  const { block } = RANDOM;
  const upload = (bytes: number) =>
    uploadFile({ port: running.ports.files, path: '/', sizeBytes: bytes, block });
  await upload(BYTES_A_MEGABYTE);
  const fresh = await residentAtRest(running, settings);
  for (let first = 0; first < FIRST_UPLOADS; first += 1) {
    await upload(sizeOf(FIRST_MEGABYTES, settings));
  }
  const rest = await residentAtRest(running, settings);
  const peak = await peakOf(running, () =>
    Promise.all(Array.from({ length: uploads }, () => upload(sizeBytes))),
  );
  return {
    row: {
      work: `memory, ${uploads} in flight of ${sizeBytes / BYTES_A_MEGABYTE} MB`,
      subject: HEARTH.name,
      value: (peak - rest) / BYTES_A_MEGABYTE / uploads,
      unit: 'MB each',
      residentBytes: peak,
      goal: { most: 12 },
    },
    leftMegabytes: (rest - fresh) / BYTES_A_MEGABYTE,
  };
}

/** The peak of the process's memory during `work`, in bytes. */
async function peakOf(running: RunningSubject, work: () => Promise<unknown>): Promise<number> {
  let peak = running.residentBytes;
  const sampler = setInterval(() => {
    peak = Math.max(peak, running.residentBytes);
  }, SAMPLE_MS);
  try {
    await work();
  } finally {
    clearInterval(sampler);
  }
  return Math.max(peak, running.residentBytes);
}

/** The process's memory after it has released everything that it does not need, in bytes. */
async function residentAtRest(running: RunningSubject, { isShort }: Settings): Promise<number> {
  let least = running.residentBytes;
  const endsAt = performance.now() + (isShort ? 0 : LONGEST_REST_MS);
  let leastAt = performance.now();
  while (performance.now() < Math.min(leastAt + REST_MS, endsAt)) {
    await Bun.sleep(SAMPLE_MS);
    const { residentBytes } = running;
    if (residentBytes < least) [least, leastAt] = [residentBytes, performance.now()];
  }
  return least;
}

function sizeOf(megabytes: number, { isShort }: Settings): number {
  return (isShort ? 1 : megabytes) * BYTES_A_MEGABYTE;
}
