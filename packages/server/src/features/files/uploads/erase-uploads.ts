import type { Context } from '../../../context.ts';
import type { EraseContent } from '../../accounts/erasure/erasure.ts';
import { releasing } from '../../platform/contents/contents.ts';
import { whileNotShown, withoutUses, type HasFileUsers } from './file-users.ts';
import { leaveAllPublicUses } from './public-uses.ts';
import { deleteUpload, disownUploads, selectUploadsBy } from './store.ts';

/** The number of uploads that are looked up at a time. */
const UPLOADS_AT_ONCE = 100;

/**
 * Removes the uploads of a deleted account, or leaves them without an owner. Nothing shows pictures of the person any more in any
 * case; those that are not attached to what the person wrote go.
 */
export const eraseUploads: EraseContent<Context & HasFileUsers> = async (
  ctx,
  { userId, content, signal },
) => {
  const { database } = ctx;
  for (;;) {
    const uploads = await selectUploadsBy(database.reader, userId, {
      arePublic: content === 'keep',
      limit: UPLOADS_AT_ONCE,
    });
    if (uploads.length === 0) break;
    for (const { id } of uploads) {
      signal.throwIfAborted();
      await whileNotShown(() =>
        releasing(ctx, (release) =>
          database.transaction(async (tx) => {
            if (content === 'keep') {
              const remove = () => leaveAllPublicUses(tx, id, release);
              await withoutUses(tx, ctx, { id, remove });
              return;
            }
            const remove = () => deleteUpload(tx.sql, id);
            const blobKey = await withoutUses(tx, ctx, { id, remove });
            if (blobKey !== undefined) await release(tx, blobKey);
          }),
        ),
      );
    }
  }
  for (let some = UPLOADS_AT_ONCE; some === UPLOADS_AT_ONCE;) {
    signal.throwIfAborted();
    some = await database.transaction(({ sql }) => disownUploads(sql, userId, UPLOADS_AT_ONCE));
  }
};
