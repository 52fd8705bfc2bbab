import { NotFoundError, ServerError } from '@hearth/protocol';
import { describe, expect, test } from 'bun:test';
import { existsSync } from 'node:fs';
import { readerBefore } from '@hearth/testing/ports/reader-before';
import { idsFrom } from '@hearth/testing/ports/id-source';
import { contentPath, readContentText } from '@hearth/testing/ports/stored-content';
import { openUploadContext, sealContent, storeUpload } from '@hearth/testing/ports/upload-verbs';
import { OWNER } from '../../../actor.ts';
import type { EmittingDatabase } from '../../../ports/outbox/outbox.ts';
import { createUpload } from './create-upload.ts';
import { findUpload } from './find-uploads.ts';
import { listUploads } from './list-uploads.ts';

describe('an upload', () => {
  test('[FS1][FD1] an upload is found by its id with everything it was stored with', async () => {
    await using ctx = await openUploadContext();
    const data = await storeUpload(ctx, 'good evening', { name: 'a.txt', spoiler: true });
    const stored = await findUpload(ctx, OWNER, { bucket: 'attachments', id: data.id });
    const { size, ...others } = data;
    expect(stored).toMatchObject({
      ...others,
      sizeBytes: size,
      contentType: 'text/plain; charset=utf-8',
    });
    expect(await readContentText(ctx.blobs, stored.blobKey)).toBe('good evening');
  });

  test('[FS18] an upload of the same content shares it within a bucket, and nothing else', async () => {
    await using ctx = await openUploadContext();
    const first = await storeUpload(ctx, 'same', { name: 'a', spoiler: true });
    const second = await storeUpload(ctx, 'same', { name: 'b' });
    const elsewhere = await storeUpload(ctx, 'same', { bucket: 'avatars' });
    expect(new Set([first.id, second.id, elsewhere.id]).size).toBe(3);
    const [one, two, three] = await listUploads(ctx, OWNER);
    expect(one?.blobKey).toBe(two?.blobKey ?? '');
    expect(three?.blobKey).not.toBe(one?.blobKey);
    expect([one?.name, one?.spoiler, two?.name, two?.spoiler]).toEqual(['a', true, 'b', false]);
  });

  test('[FS18] an upload of the same content many times at once is stored once', async () => {
    await using ctx = await openUploadContext();
    await Promise.all(Array.from({ length: 30 }, () => storeUpload(ctx, 'same')));
    const uploads = await listUploads(ctx, OWNER);
    expect(new Set(uploads.map(({ id }) => id)).size).toBe(30);
    expect(new Set(uploads.map(({ blobKey }) => blobKey)).size).toBe(1);
  });

  test('[FS19] an upload keeps its content if the commit was reported as failed but succeeded', async () => {
    await using ctx = await openUploadContext();
    const failure = new Error('the answer to the commit was lost');
    const transaction: EmittingDatabase['transaction'] = async (work) => {
      await ctx.database.transaction(work);
      throw failure;
    };
    const failing = { ...ctx, database: { ...ctx.database, transaction } };
    expect(await storeUpload(failing, 'x').catch((error: unknown) => error)).toBe(failure);
    const [kept] = await listUploads(ctx, OWNER);
    expect(await readContentText(ctx.blobs, kept?.blobKey ?? '')).toBe('x');
  });

  test('[SC15] an upload is refused in time if it is unknown whether it was recorded', async () => {
    await using ctx = await openUploadContext();
    const failure = new Error('the database did not answer in time');
    const { promise: silence } = Promise.withResolvers<never>();
    let isSilent = false;
    const transaction: EmittingDatabase['transaction'] = async () => {
      await new Promise((resolve) => setTimeout(resolve, 2_500));
      isSilent = true;
      throw failure;
    };
    const reader = readerBefore(ctx.database.reader, async () => (isSilent ? silence : undefined));
    const away = { ...ctx.database, transaction, reader };
    const failing = { ...ctx, database: away };
    expect(await storeUpload(failing, 'x').catch((error: unknown) => error)).toBe(failure);
  });

  test('[FS6] an upload is not found in another bucket', async () => {
    await using ctx = await openUploadContext();
    const { id } = await storeUpload(ctx, 'x');
    const search = findUpload(ctx, OWNER, { bucket: 'avatars', id });
    expect(await search.catch((error: unknown) => error)).toBeInstanceOf(NotFoundError);
  });
});

describe('[FS20] an upload that cannot be recorded leaves nothing in storage', () => {
  test('because there is no id for it', async () => {
    await using ctx = await openUploadContext();
    const failure = new ServerError('Making an identifier');
    const ids = idsFrom(() => {
      throw failure;
    });
    const failing = { ...ctx, ids };
    const sealed = await sealContent(ctx, 'x');
    const upload = { bucket: 'attachments', name: 'a', spoiler: false, sealed };
    expect(await createUpload(failing, OWNER, upload).catch((error: unknown) => error)).toBe(
      failure,
    );
    expect(existsSync(sealed.blob.path)).toBe(false);
    expect(await listUploads(ctx, OWNER)).toEqual([]);
  });

  test('because its id is taken', async () => {
    await using ctx = await openUploadContext();
    const { id } = await storeUpload(ctx, 'first');
    const { id: taken } = await findUpload(ctx, OWNER, { bucket: 'attachments', id });
    const repeating = { ...ctx, ids: idsFrom(() => taken) };
    for (const bytes of ['second', 'first']) {
      const sealed = await sealContent(ctx, bytes);
      const upload = { bucket: 'attachments', name: 'a', spoiler: false, sealed };
      expect(
        await createUpload(repeating, OWNER, upload).catch((error: unknown) => error),
      ).toBeInstanceOf(Error);
      expect(existsSync(sealed.blob.path)).toBe(false);
      expect(existsSync(contentPath(ctx.blobs, sealed.blob.key))).toBe(false);
    }
    const [only, ...others] = await listUploads(ctx, OWNER);
    expect([only?.id, others.length]).toEqual([taken, 0]);
    expect(await readContentText(ctx.blobs, only?.blobKey ?? '')).toBe('first');
  });
});
