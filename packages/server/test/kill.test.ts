import { fileDataSchema, type FileData } from '@hearth/protocol';
import { expect, test } from 'bun:test';
import { createHash } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import type { OwnerContext } from '../src/instance.ts';
import { listUploads } from '../src/features/uploads/list-uploads.ts';
import { folderInstance } from './support/folder-instance.ts';
import { storedFiles } from './support/stored-files.ts';
import { tempFolder } from './support/temp-folder.ts';
import { openTestContext } from './support/test-context.ts';
import { GENEROUS_LIMITS } from './support/test-instance.ts';
import { encodeForm, fieldPart, filePart, randomBytes } from './support/upload-form.ts';

const KILLS = 100;
const CLIENTS = 4;
const MOST_ACKNOWLEDGED_A_ROUND = 12;

/** Some clients send the same bytes, so that a kill also hits uploads that share a content. */
const SHARED = Array.from({ length: 20 }, (_, index) => randomBytes(1 + index * 9_000));

interface Acknowledged {
  readonly data: FileData;
  readonly bytes: Uint8Array;
}

const sha256 = (bytes: Uint8Array) => createHash('sha256').update(bytes).digest('hex');
const below = (bound: number) => Math.floor(Math.random() * bound);

/** Uploads one file after the other until the instance is gone, and tells each reply at once. */
async function uploadOn(files: string, onReply: (reply: Acknowledged) => void): Promise<void> {
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

/** Kills a busy instance right after one of its replies; answers every reply that came. */
async function killBusy(files: string, kill: () => Promise<void>): Promise<Acknowledged[]> {
  const replies: Acknowledged[] = [];
  const killAt = 1 + below(MOST_ACKNOWLEDGED_A_ROUND);
  let killed: Promise<void> | undefined;
  const onReply = (reply: Acknowledged) => {
    replies.push(reply);
    if (replies.length >= killAt) killed ??= kill();
  };
  await Promise.all(Array.from({ length: CLIENTS }, () => uploadOn(files, onReply)));
  await killed;
  return replies;
}

async function expectServed(files: string, { data, bytes }: Acknowledged): Promise<void> {
  const facts = await fetch(`${files}/${data.id}/data`);
  expect<unknown>(await facts.json()).toEqual(data);
  const content = await fetch(`${files}/${data.id}`);
  expect(sha256(await content.bytes())).toBe(sha256(bytes));
}

/** Looks behind the door: the folder has exactly the recorded contents, and every new upload is whole. */
async function expectWhole(ctx: OwnerContext, folder: string, seen: Set<string>): Promise<void> {
  const recorded = await ctx.database.reader.selectFrom('contents').select('blob_key').execute();
  const contents = recorded.map((row) => row.blob_key).toSorted();
  expect(await storedFiles(folder)).toEqual({ contents, incoming: [] });
  const uploads = await listUploads(ctx);
  expect(new Set(uploads.map(({ blobKey }) => blobKey))).toEqual(new Set(contents));
  for (const { blobKey, sizeBytes, sha256: recordedHash } of uploads) {
    if (seen.has(blobKey)) continue;
    const bytes = await readFile(ctx.blobs.locate(blobKey));
    expect([bytes.length, sha256(bytes)]).toEqual([sizeBytes, recordedHash]);
    seen.add(blobKey);
  }
}

test(`[FS19][FS20][OP5] an instance that is killed right after a reply, ${KILLS} times, has lost nothing and shows nothing half`, async () => {
  await using folder = await tempFolder();
  const all: Acknowledged[] = [];
  const seen = new Set<string>();
  let last: Acknowledged[] = [];
  for (let round = 0; round <= KILLS; round += 1) {
    await using instance = folderInstance(folder.path, GENEROUS_LIMITS);
    const files = await instance.says();
    {
      await using ctx = await openTestContext({ folder: folder.path });
      await expectWhole(ctx, folder.path, seen);
    }
    for (const reply of round === KILLS ? all : last) await expectServed(files, reply);
    if (round === KILLS) break;
    last = await killBusy(files, () => instance.kill());
    all.push(...last);
  }
  expect(all.length).toBeGreaterThan(KILLS);
  expect(new Set(all.map(({ data }) => data.id)).size).toBe(all.length);
}, 180_000);
