import type { Id } from '@hearth/protocol';
import type { Context } from '../../../context.ts';
import { listFile, type ExportPart } from '../../accounts/exports/exports.ts';
import { selectCommentsOf } from './store.ts';

/** The number of comments that are read at a time. */
const AT_ONCE = 1_000;

/** The comments of a person, the oldest first. */
export const exportComments: ExportPart = async (ctx, userId) => [
  listFile(ctx, 'comments.json', () => commentsOf(ctx, userId)),
];

async function* commentsOf({ database }: Context, userId: Id): AsyncGenerator<object> {
  for (let after: Id | undefined; ;) {
    const comments = await selectCommentsOf(database.reader, userId, { after, limit: AT_ONCE });
    for (const { id, postId, parentId, content, createdAtMs, editedAtMs } of comments) {
      yield {
        id,
        post_id: postId,
        ...(parentId !== '' && { parent_id: parentId }),
        content,
        created_at: createdAtMs,
        ...(editedAtMs > 0 && { edited_at: editedAtMs }),
      };
    }
    after = comments.at(-1)?.id;
    if (after === undefined) return;
  }
}
