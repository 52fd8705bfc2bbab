import { ConflictError, type Id } from '@hearth/protocol';
import { MOST_POST_PINS } from '@hearth/protocol/schemas';
import type { Reader, Writer } from '../../../ports/database/database.ts';
import type { StoredPost } from './stored-post.ts';

/** Throws ConflictError if no further post can be pinned in a channel. */
export async function requirePin(db: Reader, channelId: Id): Promise<void> {
  const { count } = await db
    .selectFrom('post_pins')
    .select((own) => own.fn.countAll().as('count'))
    .where('channel_id', '=', channelId)
    .executeTakeFirstOrThrow();
  if (Number(count) < MOST_POST_PINS) return;
  throw new ConflictError({ code: 'too_many', field_name: 'pinned' }, { most: MOST_POST_PINS });
}

/** Pins a post of a channel that is locked, or takes it from the pins. */
export async function setPin(
  db: Writer,
  { id, channelId }: Pick<StoredPost, 'id' | 'channelId'>,
  pinnedAtMs: number | undefined,
): Promise<void> {
  const pin = { channel_id: channelId, post_id: id };
  if (pinnedAtMs !== undefined) {
    await db
      .insertInto('post_pins')
      .values({ ...pin, pinned_at_ms: pinnedAtMs })
      .execute();
    return;
  }
  await db
    .deleteFrom('post_pins')
    .where('channel_id', '=', channelId)
    .where('post_id', '=', pin.post_id)
    .execute();
}
