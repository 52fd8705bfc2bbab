import type { Id } from '@hearth/protocol';
import type { Context } from '../../../context.ts';
import type { Transaction } from '../../../ports/database/database.ts';
import {
  ContentWriter,
  type SealedContent,
  isPicture,
  placeholderOf,
  recordContent,
} from '../../platform/contents/contents.ts';
import { newFileKey } from './access-to.ts';
import { insertUpload } from './store.ts';

/** A picture that the instance has got from elsewhere. */
export interface OwnPicture {
  readonly bucket: string;
  /** Without the ending of its type. */
  readonly name: string;
  readonly bytes: Uint8Array;
  /** Takes the locks that have to be held before that of the content. */
  readonly lockFirst?: (tx: Transaction) => Promise<void>;
}

/**
 * Records a picture as an upload of nobody, with a key. `refer` is called with its id in the same transaction, and may be
 * called again. False, after which nothing is left, if it is no picture that can be decoded. Throws what recordContent
 * throws.
 */
export async function recordPicture(
  ctx: Context,
  { bucket, name, bytes, lockFirst }: OwnPicture,
  refer: (tx: Transaction, id: Id) => Promise<void>,
): Promise<boolean> {
  const sealed = await ContentWriter.sealed(ctx, (writer) => writer.write(bytes));
  const ready = isPicture(sealed.facts) ? prepare(ctx, bucket, sealed) : undefined;
  const [id, placeholder = ''] = (await ready?.catch(() => undefined)) ?? [];
  // Empty if it cannot be decoded, and null if this is not known now.
  if (id === undefined || placeholder === '') {
    await sealed.blob.discard();
    return false;
  }
  const { totalSizeBytes: mostBytes } = ctx.settings.files;
  const upload = {
    id,
    bucket,
    name: `${name}.${sealed.facts.contentType.replace(/^image\//, '')}`,
    spoiler: 0,
    uploaded_at_ms: ctx.clock.unixMs(),
    user_id: null,
    key: newFileKey(),
  };
  const content = { bucket, sealed, placeholder, mostBytes, ...(lockFirst && { lockFirst }) };
  await recordContent(ctx, content, async (tx, blobKey) => {
    await insertUpload(tx.sql, { ...upload, blob_key: blobKey });
    await refer(tx, id);
  });
  return true;
}

function prepare(ctx: Context, bucket: string, sealed: SealedContent) {
  return Promise.all([ctx.ids.next(), placeholderOf(ctx, bucket, sealed)]);
}
