import { ServerError } from '@hearth/protocol';
import { photograph } from '@hearth/testing/clients/photograph';
import { openUploadContext, storeUpload } from '@hearth/testing/ports/upload-verbs';
import { expect, test } from 'bun:test';
import { ANYONE } from '../../actor.ts';
import { PicturesUnavailableError } from '../../ports/pictures/pictures.ts';
import { readFileData } from '../uploads/read-file-data.ts';
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
