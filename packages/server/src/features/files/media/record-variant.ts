import { NotFoundError } from '@hearth/protocol';
import type { Context } from '../../../context.ts';
import type { Transaction } from '../../../ports/database/database.ts';
import {
  ContentWriter,
  lockContent,
  recordContent,
  releasing,
  replaceVariant,
  type VariantContent,
  type VariantKey,
} from '../../platform/contents/contents.ts';
import { VARIANTS_BUCKET } from './variants-bucket.ts';

/**
 * Records a variant and stores its bytes; without bytes, records that the original takes its place. Throws NotFoundError
 * if the original was removed meanwhile.
 */
export async function recordVariant(
  ctx: Context,
  key: VariantKey,
  bytes: Uint8Array | undefined,
): Promise<VariantContent | undefined> {
  const lockFirst = async (tx: Transaction) => {
    if (!(await lockContent(tx.sql, key.sourceKey))) throw new NotFoundError();
  };
  return releasing(ctx, async (release) => {
    const refer = async (tx: Transaction, blobKey: string | null) => {
      const replaced = await replaceVariant(tx.sql, key, blobKey);
      if (replaced !== undefined && replaced !== blobKey) await release(tx, replaced);
    };
    if (bytes === undefined) {
      await ctx.database.transaction(async (tx) => {
        await lockFirst(tx);
        await refer(tx, null);
      });
      return undefined;
    }
    const sealed = await ContentWriter.sealed(ctx, (writer) => writer.write(bytes));
    const { sha256, sizeBytes, facts } = sealed;
    const content = { bucket: VARIANTS_BUCKET, sealed, placeholder: '', lockFirst };
    const blobKey = await recordContent(ctx, content, refer);
    return { blobKey, sha256, sizeBytes, contentType: facts.contentType };
  });
}
