import { parseId, ServerError } from '@hearth/protocol';
import { photograph } from '@hearth/testing/clients/photograph';
import { openUploadContext, storeUpload } from '@hearth/testing/ports/upload-verbs';
import { expect, test } from 'bun:test';
import { ANYONE, OWNER } from '../../actor.ts';
import { PicturesUnavailableError } from '../../ports/pictures/pictures.ts';
import { findUpload } from '../uploads/find-upload.ts';
import { readFileData } from '../uploads/read-file-data.ts';
import { removeUpload } from '../uploads/remove-upload.ts';
import { findMedia } from './find-media.ts';
import { Variants } from './variants.ts';

const fail = async () => {
  throw new PicturesUnavailableError('too many are waiting');
};

test('[FS33][FD11] while too many pictures wait, a file has no placeholder, and its sizes are the file as it is', async () => {
  await using ctx = await openUploadContext();
  const busy = { ...ctx, pictures: { placeholder: fail, variant: fail } };
  const bytes = await photograph({ width: 320, height: 240 });
  const data = await storeUpload(busy, bytes, { name: 'a.jpg' });
  expect(data).not.toHaveProperty('placeholder');
  const input = { id: data.id, size: 96 };
  const variants = new Variants(busy);
  expect(await findMedia({ ...busy, variants }, ANYONE, input)).toMatchObject({
    name: 'a.jpg',
    contentType: 'image/jpeg',
    isImmutable: false,
  });
  const media = await findMedia({ ...ctx, variants: new Variants(ctx) }, ANYONE, input);
  expect(media).toMatchObject({ name: 'a.webp', isImmutable: true });
  const address = { bucket: 'attachments', id: data.id };
  expect(await readFileData(ctx, ANYONE, address)).toHaveProperty('placeholder');
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
  const variants = new Variants(broken);
  const input = { id, size: 96 };
  await expect(findMedia({ ...broken, variants }, ANYONE, input)).rejects.toThrow(ServerError);
  const media = await findMedia({ ...ctx, variants: new Variants(ctx) }, ANYONE, input);
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
  const variants = new Variants(failing);
  const input = { id: data.id, size: 96 };
  const media = await findMedia({ ...failing, variants }, ANYONE, input);
  expect(media.contentType).toBe('image/webp');
  // Other bytes take the place of the variant's, which cannot be removed.
  const pictures = { ...ctx.pictures, variant: async () => photograph({ width: 9, height: 9 }) };
  const others = new Variants({ ...failing, pictures });
  const upload = await findUpload(ctx, ANYONE, { bucket: 'attachments', id: data.id });
  const made = await others.make({ upload, pixels: 96, format: 'webp' });
  expect(made).toMatchObject({ kind: 'variant', content: { contentType: 'image/jpeg' } });
});
