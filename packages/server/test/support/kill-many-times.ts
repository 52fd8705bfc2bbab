import type { FileData } from '@hearth/protocol';
import { fileDataSchema } from '@hearth/protocol/schemas';
import { expect } from 'bun:test';
import { createHash } from 'node:crypto';
import { OWNER } from '../../src/actor.ts';
import type { OwnerContext } from '../../src/instance.ts';
import { listUploads } from '../../src/features/files/uploads/list-uploads.ts';
import { folderInstance } from '@hearth/testing/instances/folder-instance';
import { readContent } from '@hearth/testing/ports/stored-content';
import { storedFiles } from '@hearth/testing/instances/stored-files';
import { tempFolder } from '@hearth/testing/temp-folder';
import { openTestContext } from '@hearth/testing/instances/test-context';
import { GENEROUS_LIMITS } from '@hearth/testing/instances/test-instance';
import { encodeForm, fieldPart, filePart, randomBytes } from '@hearth/testing/clients/upload-form';

const CLIENTS = 4;
const MOST_ACKNOWLEDGED_A_ROUND = 12;
/** KILL_SEED=… makes a run repeat the choices of another; the machine decides the moments of the kills. */
export const SEED = Number(process.env['KILL_SEED'] ?? Date.now() % 1_000_000);

/** Some clients send the same bytes, so that a kill also hits uploads that share a content. */
const SHARED = Array.from({ length: 20 }, (_, index) => randomBytes(1 + index * 9_000));

interface Acknowledged {
  readonly data: FileData;
  readonly bytes: Uint8Array;
}

const sha256 = (bytes: Uint8Array) => createHash('sha256').update(bytes).digest('hex');

/** A whole number from 0 up to a bound. */
type Choose = (bound: number) => number;

/** Choices that look random and are the same for the same seed: mulberry32. */
function choicesOf(seed: number): Choose {
  let state = seed;
  return (bound) => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return Math.floor((((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32) * bound);
  };
}

/** Uploads one file after another until the instance is gone, and reports each reply at once. */
async function uploadOn(
  files: string,
  below: Choose,
  onReply: (reply: Acknowledged) => void,
): Promise<void> {
  for (;;) {
    const bytes = below(2) === 0 ? randomBytes(1 + below(200_000)) : SHARED[below(SHARED.length)];
    if (bytes === undefined) continue;
    const { contentType, body } = encodeForm(filePart(bytes), fieldPart('spoiler', `${below(2)}`));
    const headers = { 'Content-Type': contentType };
    const sent = fetch(files, { method: 'POST', headers, body });
    const reply = await sent.then((answer) => answer.json()).catch(() => undefined);
    if (reply === undefined) return;
    onReply({ data: fileDataSchema.parse(reply), bytes });
  }
}

/** Kills a busy instance right after one of its replies; returns every reply that came. */
async function killBusy(
  files: string,
  below: Choose,
  kill: () => Promise<void>,
): Promise<Acknowledged[]> {
  const replies: Acknowledged[] = [];
  const killAt = 1 + below(MOST_ACKNOWLEDGED_A_ROUND);
  let killed: Promise<void> | undefined;
  const onReply = (reply: Acknowledged) => {
    replies.push(reply);
    if (replies.length >= killAt) killed ??= kill();
  };
  // Each has its own choices, because the order in which they choose is unknown.
  const clients = Array.from({ length: CLIENTS }, () => choicesOf(below(2 ** 32)));
  await Promise.all(clients.map((choose) => uploadOn(files, choose, onReply)));
  await killed;
  return replies;
}

async function expectServed(files: string, { data, bytes }: Acknowledged): Promise<void> {
  const facts = await fetch(`${files}/${data.id}/data`);
  expect<unknown>(await facts.json()).toEqual(data);
  const content = await fetch(`${files}/${data.id}`);
  expect(sha256(await content.bytes())).toBe(sha256(bytes));
}

/** Reads the data folder: it has exactly the recorded contents, and every new upload is whole. */
async function expectWhole(ctx: OwnerContext, folder: string, seen: Set<string>): Promise<void> {
  const recorded = await ctx.database.reader.selectFrom('contents').select('blob_key').execute();
  const contents = recorded.map((row) => row.blob_key).toSorted();
  expect(await storedFiles(folder)).toEqual({ contents, incoming: [] });
  const uploads = await listUploads(ctx, OWNER);
  expect(new Set(uploads.map(({ blobKey }) => blobKey))).toEqual(new Set(contents));
  for (const { blobKey, sizeBytes, sha256: recordedHash } of uploads) {
    if (seen.has(blobKey)) continue;
    const bytes = await readContent(ctx.blobs, blobKey);
    expect([bytes.length, sha256(bytes)]).toEqual([sizeBytes, recordedHash]);
    seen.add(blobKey);
  }
}

/** Kills an instance this many times, each right after one of its replies, and checks its data at every start. */
export async function killManyTimes(kills: number): Promise<void> {
  await using folder = await tempFolder();
  const all: Acknowledged[] = [];
  const seen = new Set<string>();
  let last: Acknowledged[] = [];
  for (let round = 0; round <= kills; round += 1) {
    await using instance = folderInstance(folder.path, GENEROUS_LIMITS);
    const files = await instance.says();
    {
      await using ctx = await openTestContext({ folder: folder.path });
      await expectWhole(ctx, folder.path, seen);
    }
    for (const reply of round === kills ? all : last) await expectServed(files, reply);
    if (round === kills) break;
    last = await killBusy(files, choicesOf(SEED + round), () => instance.kill());
    all.push(...last);
  }
  expect(all.length).toBeGreaterThan(kills);
  expect(new Set(all.map(({ data }) => data.id)).size).toBe(all.length);
}
