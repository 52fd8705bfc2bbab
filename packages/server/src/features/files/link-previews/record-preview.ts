import { ATTACHMENTS_BUCKET, ValidationError, type Id } from '@hearth/protocol';
import type { Context } from '../../../context.ts';
import { NoFilesError } from '../../../ports/blobs/blobs.ts';
import type { Transaction } from '../../../ports/database/database.ts';
import { releasing } from '../../platform/contents/contents.ts';
import { dropUpload, recordPicture } from '../uploads/uploads.ts';
import type { FoundPreview } from './fetch-preview.ts';
import { lockPreview, updatePreview } from './store.ts';
import { NO_PREVIEW, type PreviewContent } from './stored-preview.ts';

/** Stores what was found at an address, with the first picture that can be shown, in place of what was known of it. */
export async function recordPreview(
  ctx: Context,
  urlHash: string,
  { content, pictures }: FoundPreview,
): Promise<void> {
  await releasing(ctx, async (release) => {
    const store = async (tx: Transaction, pictureId: Id | '') => {
      const known = await lockPreview(tx.sql, urlHash);
      if (known === undefined) return;
      const fetched_at_ms = ctx.clock.unixMs();
      const seen = pictureId === '' ? withoutPicture(content) : content;
      await updatePreview(tx.sql, urlHash, { ...seen, picture_id: pictureId, fetched_at_ms });
      if (known.picture_id !== '') await dropUpload(tx, known.picture_id, release);
    };
    for await (const bytes of pictures) {
      if (await tryRecording(ctx, { bytes, urlHash, store })) return;
    }
    await ctx.database.transaction((tx) => store(tx, ''));
  });
}

/** An address of a picture that is not shown has nothing to see. */
function withoutPicture(content: PreviewContent): PreviewContent {
  return content.title === '' && content.description === '' ? NO_PREVIEW : content;
}

interface Recording {
  readonly bytes: Uint8Array;
  readonly urlHash: string;
  readonly store: (tx: Transaction, pictureId: Id) => Promise<void>;
}

/** False if it is no picture that can be shown, or if there is no room for it. */
async function tryRecording(ctx: Context, { bytes, urlHash, store }: Recording): Promise<boolean> {
  const picture = {
    bucket: ATTACHMENTS_BUCKET,
    name: 'preview',
    bytes,
    // In this order, as when it is swept.
    lockFirst: async (tx: Transaction) => void (await lockPreview(tx.sql, urlHash)),
  };
  try {
    return await recordPicture(ctx, picture, store);
  } catch (error) {
    if (error instanceof ValidationError || NoFilesError.is(error)) return false;
    throw error;
  }
}
