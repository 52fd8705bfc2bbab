import { NotFoundError, parseId, type Id } from '@hearth/protocol';
import { describe, expect, test } from 'bun:test';
import { existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { contentPath } from '@hearth/testing/ports/stored-content';
import { openUploadContext, storeUpload } from '@hearth/testing/ports/upload-verbs';
import { OWNER } from '../../../actor.ts';
import type { Context } from '../../../context.ts';
import { recoverContents } from '../../platform/contents/release-content.ts';
import { findUpload } from './find-uploads.ts';
import { listUploads } from './list-uploads.ts';
import { removeUpload } from './remove-upload.ts';

const asId = (text: string): Id => {
  const id = parseId(text);
  if (id === undefined) throw new Error(`no identifier: ${text}`);
  return id;
};
const store = async (ctx: Context, bytes: string) => asId((await storeUpload(ctx, bytes)).id);
const pathOf = async (ctx: Context, id: Id) =>
  contentPath(ctx.blobs, (await findUpload(ctx, OWNER, { bucket: 'attachments', id })).blobKey);

describe('[OP14][OP15] the removal of an upload', () => {
  test('the removal deletes the upload and its content', async () => {
    await using ctx = await openUploadContext();
    const id = await store(ctx, 'x');
    const path = await pathOf(ctx, id);
    await removeUpload(ctx, OWNER, id);
    expect(existsSync(path)).toBe(false);
    expect(await listUploads(ctx, OWNER)).toEqual([]);
  });

  test('the content of another upload with the same bytes is kept, until that is removed too', async () => {
    await using ctx = await openUploadContext();
    const [first, second] = [await store(ctx, 'same'), await store(ctx, 'same')];
    const path = await pathOf(ctx, second);
    await removeUpload(ctx, OWNER, first);
    expect(await readFile(path, 'utf8')).toBe('same');
    await removeUpload(ctx, OWNER, second);
    expect(existsSync(path)).toBe(false);
  });

  test('the removal is completed by the next start if the process was killed before the content was removed', async () => {
    await using ctx = await openUploadContext();
    const id = await store(ctx, 'x');
    const path = await pathOf(ctx, id);
    const killed = { ...ctx, blobs: { ...ctx.blobs, remove: () => Promise.reject(new Error()) } };
    await removeUpload(killed, OWNER, id).catch(() => {});
    expect(existsSync(path)).toBe(true);
    await recoverContents(ctx);
    expect(existsSync(path)).toBe(false);
  });

  test('the removal fails if its own blob cannot be removed, and not because of an earlier one', async () => {
    await using ctx = await openUploadContext();
    const [stuck, other] = [await store(ctx, 'stuck'), await store(ctx, 'other')];
    const path = await pathOf(ctx, other);
    const { blobKey } = await findUpload(ctx, OWNER, { bucket: 'attachments', id: stuck });
    const failure = new Error('the file is locked');
    const remove = (key: string) =>
      key === blobKey ? Promise.reject(failure) : ctx.blobs.remove(key);
    const failing = { ...ctx, blobs: { ...ctx.blobs, remove } };
    await expect(removeUpload(failing, OWNER, stuck)).rejects.toBe(failure);
    await removeUpload(failing, OWNER, other);
    expect(existsSync(path)).toBe(false);
    const stuckPath = contentPath(ctx.blobs, blobKey);
    expect(existsSync(stuckPath)).toBe(true);
    await removeUpload(ctx, OWNER, await store(ctx, 'third'));
    expect(existsSync(stuckPath)).toBe(false);
  });

  test('that does not exist throws a NotFoundError, also the second time', async () => {
    await using ctx = await openUploadContext();
    const id = await store(ctx, 'x');
    const results = await Promise.allSettled([
      removeUpload(ctx, OWNER, id),
      removeUpload(ctx, OWNER, id),
    ]);
    expect(results.map(({ status }) => status).toSorted()).toEqual(['fulfilled', 'rejected']);
    const again = removeUpload(ctx, OWNER, id);
    expect(await again.catch((error: unknown) => error)).toBeInstanceOf(NotFoundError);
  });

  test('an upload of the same content at the same time is never harmed', async () => {
    await using ctx = await openUploadContext();
    let kept = await store(ctx, 'same');
    for (let round = 0; round < 150; round += 1) {
      const stores = Array.from({ length: (round % 3) + 1 }, () => store(ctx, 'same'));
      const removal = removeUpload(ctx, OWNER, kept);
      const [next, ...others] = [...(await Promise.all(stores)), ...[await store(ctx, 'same')]];
      await removal;
      for (const id of others) {
        expect(await readFile(await pathOf(ctx, id), 'utf8')).toBe('same');
        await removeUpload(ctx, OWNER, id);
      }
      kept = next ?? kept;
      expect(await readFile(await pathOf(ctx, kept), 'utf8')).toBe('same');
    }
    expect(await listUploads(ctx, OWNER)).toHaveLength(1);
  });
});
