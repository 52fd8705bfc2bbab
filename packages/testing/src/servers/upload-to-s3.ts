import { systemClock } from '../../../server/src/lib/clock.ts';
import { jsonLogger } from '../../../server/src/log/logger.ts';
import { s3Blobs } from '../../../server/src/ports/blobs/s3.ts';
import type { S3Access } from '../../../server/src/ports/blobs/s3-store.ts';
import { LineProcess, linesOf } from '../line-process.ts';

/**
 * A process that stores contents in S3. For a line with a number of bytes it stores a content of that size and prints its
 * key. After the content was stored and read again, it prints its own peak memory in bytes.
 */
export function uploadingProcess(access: S3Access, spoolFolder: string): LineProcess {
  return new LineProcess(import.meta.path, JSON.stringify(access), spoolFolder);
}

const PIECE = new Uint8Array(128 * 1024).fill(7);

async function run(access: S3Access, spoolFolder: string): Promise<void> {
  const log = jsonLogger('error', (line) => process.stderr.write(line));
  const blobs = s3Blobs({ ...access, spoolFolder, log, clock: systemClock });
  for await (const line of linesOf(Bun.stdin.stream())) {
    const sizeBytes = Number(line);
    const writer = await blobs.create();
    process.stdout.write(`${writer.key}\n`);
    for (let left = sizeBytes; left > 0; left -= PIECE.length) {
      await writer.write(PIECE.subarray(0, left));
    }
    await writer.seal();
    await writer.release();
    const place = blobs.locate(writer.key);
    if (place.at !== 'remote') throw new Error('not in S3');
    for await (const _piece of place.read({ start: 0, end: sizeBytes }));
    process.stdout.write(`${process.resourceUsage().maxRSS * 1024}\n`);
  }
}

if (import.meta.main) await run(JSON.parse(process.argv[2] ?? ''), process.argv[3] ?? '');
