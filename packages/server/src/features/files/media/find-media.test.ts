import { parseId, ServerError } from '@hearth/protocol';
import { photograph } from '@hearth/testing/clients/photograph';
import { openUploadContext, storeUpload } from '@hearth/testing/ports/upload-verbs';
import { expect, test } from 'bun:test';
import { ANYONE, OWNER } from '../../../actor.ts';
import type { Context } from '../../../context.ts';
import { PicturesUnavailableError, type PictureSource } from '../../../ports/pictures/pictures.ts';
import { Placeholders } from '../../platform/contents/placeholders.ts';
import { findUpload } from '../uploads/find-uploads.ts';
import { readFileData } from '../uploads/read-file-data.ts';
import { removeUpload } from '../uploads/remove-upload.ts';
import { findMedia } from './find-media.ts';
import { Variants, type MediaContext } from './variants.ts';

const fail = async () => {
  throw new PicturesUnavailableError('too many are waiting');
};

/** Returns what the verbs of media receive. */
function mediaOf(ctx: Context): MediaContext {
  const context = { ...ctx, placeholders: new Placeholders(ctx) };
  return { ...context, variants: new Variants(context) };
}

test('[FS33][FD11] while too many pictures wait, a file has no placeholder, and its sizes are the file as it is', async () => {
  await using ctx = await openUploadContext();
  const busy = { ...ctx, pictures: { placeholder: fail, variant: fail } };
  const bytes = await photograph({ width: 320, height: 240 });
  const data = await storeUpload(busy, bytes, { name: 'a.jpg' });
  expect(data).not.toHaveProperty('placeholder');
  const input = { id: data.id, size: 96 };
  expect(await findMedia(mediaOf(busy), ANYONE, input)).toMatchObject({
    name: 'a.jpg',
    contentType: 'image/jpeg',
    isImmutable: false,
  });
  const media = await findMedia(mediaOf(ctx), ANYONE, input);
  expect(media).toMatchObject({ name: 'a.webp', isImmutable: true });
  const address = { bucket: 'attachments', id: data.id };
  expect(await readFileData(mediaOf(ctx), ANYONE, address)).toHaveProperty('placeholder');
});

test('[FS33] a failure to record a variant is not a picture without one', async () => {
  await using ctx = await openUploadContext();
  const { id } = await storeUpload(ctx, await photograph({ width: 320, height: 240 }));
  const broken = {
    ...ctx,
    blobs: {
      ...ctx.blobs,
      create: async () => {
        throw new ServerError('Storing');
      },
    },
  };
  const input = { id, size: 96 };
  await expect(findMedia(mediaOf(broken), ANYONE, input)).rejects.toThrow(ServerError);
  const media = await findMedia(mediaOf(ctx), ANYONE, input);
  expect(media.contentType).toBe('image/webp');
});

test('[FS33] a variant is served although the blob of another content cannot be removed', async () => {
  await using ctx = await openUploadContext();
  const remove = () => Promise.reject(new Error('the file is locked'));
  const failing = { ...ctx, blobs: { ...ctx.blobs, remove } };
  const gone = await storeUpload(ctx, 'gone');
  const id = parseId(gone.id);
  if (id === undefined) throw new Error(`no identifier: ${gone.id}`);
  await expect(removeUpload(failing, OWNER, id)).rejects.toThrow('locked');
  const data = await storeUpload(ctx, await photograph({ width: 320, height: 240 }));
  const input = { id: data.id, size: 96 };
  const media = await findMedia(mediaOf(failing), ANYONE, input);
  expect(media.contentType).toBe('image/webp');
  // Other bytes take the place of the variant's, which cannot be removed.
  const pictures = { ...ctx.pictures, variant: async () => photograph({ width: 9, height: 9 }) };
  const { variants } = mediaOf({ ...failing, pictures });
  const upload = await findUpload(ctx, ANYONE, { bucket: 'attachments', id: data.id });
  const made = await variants.make({ upload, pixels: 96, format: 'webp' });
  expect(made).toMatchObject({ kind: 'variant', content: { contentType: 'image/jpeg' } });
});

test('[FD11] a placeholder that is missing is made once, however many ask for it at once', async () => {
  await using ctx = await openUploadContext();
  const busy = { ...ctx, pictures: { placeholder: fail, variant: fail } };
  const { id } = await storeUpload(busy, await photograph({ width: 320, height: 240 }));
  let timesMade = 0;
  const pictures = {
    ...ctx.pictures,
    placeholder: (source: PictureSource) => {
      timesMade += 1;
      return ctx.pictures.placeholder(source);
    },
  };
  const media = mediaOf({ ...ctx, pictures });
  const ask = () => readFileData(media, ANYONE, { bucket: 'attachments', id });
  const answers = await Promise.all(Array.from({ length: 5 }, ask));
  const [placeholder, ...others] = new Set(answers.map((answer) => answer.placeholder));
  expect(placeholder).toBeDefined();
  expect(others).toEqual([]);
  expect(timesMade).toBe(1);
});
