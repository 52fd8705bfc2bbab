import type { Id } from '@hearth/protocol';
import { idSchema, MOST_CARD_CHANNELS } from '@hearth/protocol/schemas';
import { z } from 'zod';
import type { Transaction } from '../../../ports/database/database.ts';
import { holdTurns } from '../../platform/turns/turns.ts';
import { addJob, type JobKind } from '../../platform/jobs/jobs.ts';
import {
  describeMessage,
  lockMessages,
  namedIn,
  selectMessagesOfPost,
  updatePostId,
  type StoredMessage,
} from '../../talk/messages/messages.ts';
import { channelNow, emitAt } from '../../talk/places/places.ts';
import type { PostsContext } from './posts-context.ts';
import { selectNamedPosts } from './store.ts';

const retitlingSchema = z.object({ post_id: idSchema });

type Retitling = z.infer<typeof retitlingSchema>;

const RETITLE_CARDS: Pick<JobKind<Retitling>, 'name' | 'parse'> = {
  name: 'retitle-cards',
  parse: (json) => retitlingSchema.parse(json),
};

/** The kind of jobs that send the cards of posts again which have another title. They are in other channels than the posts. */
export function retitleCards(ctx: PostsContext): JobKind<Retitling> {
  return {
    ...RETITLE_CARDS,
    mostAttempts: 10,
    async run({ post_id: postId }, { signal }) {
      for (const message of await messagesOf(ctx.database.reader, postId)) {
        signal.throwIfAborted();
        if (message.isCard) await retitle(ctx, message);
      }
    },
  };
}

/** Adds the job, in the transaction that changes the title of a post, if the post has cards. */
export async function addRetitling(
  tx: Transaction,
  { postId, nowMs }: { readonly postId: Id; readonly nowMs: number },
): Promise<void> {
  const messages = await messagesOf(tx.sql, postId);
  if (!messages.some(({ isCard }) => isCard)) return;
  await addJob(tx, RETITLE_CARDS, { payload: { post_id: postId }, nowMs });
}

/** The cards of a post, and the message that it was made from. */
function messagesOf(db: Parameters<typeof selectMessagesOfPost>[0], postId: Id) {
  return selectMessagesOfPost(db, postId, MOST_CARD_CHANNELS + 1);
}

async function retitle(ctx: PostsContext, seen: StoredMessage): Promise<void> {
  const { id, channelId, postId } = seen;
  if (postId === '') return;
  const named = await namedIn(ctx, [seen]);
  const links = named.links?.get(id);
  // Those who see the card do not see the title.
  if (links?.post_id === undefined) return;
  await ctx.database.transaction(async (tx) => {
    await holdTurns(tx, [channelId]);
    const [message] = await lockMessages(tx.sql, channelId, [id]);
    // What was read before may be older than what another job has sent meanwhile.
    const [post] = await selectNamedPosts(tx.sql, [postId]);
    if (message === undefined || post === undefined) return;
    const place = await channelNow(tx, ctx, channelId);
    if (place === undefined) return;
    const updated: StoredMessage = { ...message, version: message.version + 1 };
    await updatePostId(tx.sql, updated);
    const titled = new Map([[id, { ...links, content: post.title }]]);
    const d = describeMessage(updated, { ...named, links: titled });
    await emitAt(tx, place, { op: 'MESSAGE_UPDATE', d });
  });
}
