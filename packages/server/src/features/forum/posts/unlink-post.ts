import type { Id } from '@hearth/protocol';
import { holdTurns } from '../../platform/turns/turns.ts';
import type { JobKind } from '../../platform/jobs/jobs.ts';
import {
  UNLINK_POST,
  describeMessage,
  lockMessages,
  namedIn,
  removingMessages,
  selectMessage,
  selectMessagesOfPost,
  updatePostId,
  withTargetNow,
  type StoredMessage,
  type Unlinking,
} from '../../talk/messages/messages.ts';
import { channelNow, emitAt } from '../../talk/places/places.ts';
import { asRead, lockAsRead } from './as-read.ts';
import { namedInEvents, postInEvents } from './post-in-events.ts';
import type { PostsContext } from './posts-context.ts';
import { deleteSource, selectPost } from './store.ts';
import type { StoredPost } from './stored-post.ts';

/** The number of messages that are looked up at a time. */
const AT_ONCE = 100;

/** The kind of jobs that take links to deleted messages and posts from those that have them. */
export function unlinkPost(ctx: PostsContext): JobKind<Unlinking> {
  return {
    ...UNLINK_POST,
    mostAttempts: 10,
    run: ({ post_id: postId }, { signal }) => unlink(ctx, postId, signal),
  };
}

async function unlink(ctx: PostsContext, postId: Id, signal: AbortSignal): Promise<void> {
  const post = await selectPost(ctx.database.reader, postId);
  if (post !== undefined) {
    await asRead(post, (known) => forgetSource(ctx, known));
    return;
  }
  for (;;) {
    const messages = await selectMessagesOfPost(ctx.database.reader, postId, AT_ONCE);
    for (const message of messages) {
      signal.throwIfAborted();
      await (message.isCard ? removeCard(ctx, message) : forgetPost(ctx, message));
    }
    if (messages.length < AT_ONCE) return;
  }
}

/** Removes the link to its message from a post, if the message was deleted. */
async function forgetSource(ctx: PostsContext, known: StoredPost | undefined): Promise<void> {
  if (known === undefined || known.fromChannelId === '' || known.fromMessageId === '') return;
  const { reader } = ctx.database;
  if ((await selectMessage(reader, known.fromChannelId, known.fromMessageId)) !== undefined) return;
  const none = { fromChannelId: '', fromMessageId: '' } as const;
  const named = await namedInEvents(ctx, [{ ...known, ...none }]);
  await ctx.database.transaction(async (tx) => {
    const place = await channelNow(tx, ctx, known.channelId);
    if (place === undefined) return;
    const post = await lockAsRead(tx, known);
    const updated: StoredPost = { ...post, ...none, version: post.version + 1 };
    await deleteSource(tx.sql, updated);
    await emitAt(tx, place, { op: 'POST_UPDATE', d: postInEvents(updated, named) });
  });
}

/** Takes the post that was made from it from a message. */
async function forgetPost(ctx: PostsContext, seen: StoredMessage): Promise<void> {
  const { channelId, id } = seen;
  for (let known: StoredMessage | undefined = seen; known !== undefined;) {
    const { version } = known;
    const named = await namedIn(ctx, [{ ...known, postId: '' }]);
    known = await ctx.database.transaction(async (tx) => {
      await holdTurns(tx, [channelId]);
      const [message] = await lockMessages(tx.sql, channelId, [id]);
      if (message === undefined || message.postId === '') return undefined;
      if (message.version !== version) return message;
      const updated: StoredMessage = { ...message, postId: '', version: version + 1 };
      const place = await channelNow(tx, ctx, channelId);
      await updatePostId(tx.sql, updated);
      if (place === undefined) return undefined;
      const d = describeMessage(updated, await withTargetNow(tx, updated, named));
      await emitAt(tx, place, { op: 'MESSAGE_UPDATE', d });
      return undefined;
    });
  }
}

async function removeCard(ctx: PostsContext, { channelId, id }: StoredMessage): Promise<void> {
  await removingMessages(ctx, (remove) =>
    ctx.database.transaction(async (tx) => {
      await holdTurns(tx, [channelId]);
      const locked = await lockMessages(tx.sql, channelId, [id]);
      if (locked.length === 0) return;
      const place = await channelNow(tx, ctx, channelId);
      await remove(tx, locked);
      if (place === undefined) return;
      await emitAt(tx, place, { op: 'MESSAGE_DELETE', d: { channel_id: channelId, id } });
    }),
  );
}
