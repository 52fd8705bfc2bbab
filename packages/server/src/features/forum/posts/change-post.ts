import { NotFoundError, type Id, type Post, type PostChange } from '@hearth/protocol';
import type { Account } from '../../../actor.ts';
import { KEPT } from '../../../ports/database/database.ts';
import type { EmittingTransaction } from '../../../ports/outbox/outbox.ts';
import { audit, beginEntry, type BegunEntry } from '../../communities/audit/audit.ts';
import {
  keepCommunity,
  waitForRules,
  type AccessContext,
} from '../../communities/structure/structure.ts';
import { dropPreviews } from '../../files/link-previews/link-previews.ts';
import { forgetMentions, resolveMentions, subjectsOf } from '../../talk/mentions/mentions.ts';
import {
  channelPlace,
  emitIn,
  takeTurn,
  type ChannelPlace,
  type Turning,
} from '../../talk/places/places.ts';
import { requireAdmission } from '../../accounts/moderation/moderation.ts';
import { noteChanged } from '../../talk/index-queue/index-queue.ts';
import { asRead, lockAsRead } from './as-read.ts';
import { actsOf, changedPost, requirementsOf } from './changed-post.ts';
import { findPost } from './complete-posts.ts';
import { requirePin, setPin, deleteTags, insertTags, updatePost } from './store.ts';
import { accessToPost } from './post-access.ts';
import { requireTags } from './post-draft.ts';
import { namedInEvents, postInEvents } from './post-in-events.ts';
import type { PostsContext } from './posts-context.ts';
import { addRetitling } from './retitle-cards.ts';
import { showPreviews } from './previews.ts';
import type { StoredPost } from './stored-post.ts';

/**
 * Changes a post. Its author may change what it says, members with MANAGE_CONTENT mark and lock it, and those with PIN pin it.
 * Throws NotFoundError, ForbiddenError, ValidationError, and ConflictError for one pin too many.
 */
export async function changePost(
  ctx: AccessContext & PostsContext,
  actor: Account,
  { id, ...change }: PostChange & { readonly id: Id },
): Promise<Post> {
  await requireAdmission(ctx, actor, 'changing');
  const seen = await accessToPost(ctx, actor, id);
  const requires = requirementsOf(ctx, { actor, post: seen.post, change });
  requires(seen);
  const place = channelPlace(seen);
  const { content } = change;
  const mentions =
    typeof content === 'string' ? await resolveMentions(ctx, place, content) : undefined;
  const given = { change, mentions, nowMs: ctx.clock.unixMs() };
  const changing = { turning: { actor, access: place, requires }, given };
  await asRead(seen.post, (known) => changeNow(ctx, known, changing));
  return await findPost(ctx, actor, { id });
}

interface Changing {
  readonly turning: Turning<ChannelPlace>;
  readonly given: Parameters<typeof changedPost>[1];
}

async function changeNow(
  ctx: PostsContext,
  known: StoredPost | undefined,
  { turning, given }: Changing,
): Promise<void> {
  if (known === undefined) throw new NotFoundError();
  const expected = changedPost(known, given);
  // The number of an event is only taken for something that changes.
  if (expected === known) return;
  const named = await namedInEvents(ctx, [expected]);
  const { actor } = turning;
  const { id, communityId } = known;
  const options = known.userId === actor.user_id ? {} : KEPT;
  const { locked, tag_ids: tagIds } = given.change;
  // A change may be several acts.
  const entries: BegunEntry[] = [];
  for (let count = 0; count < 3; count += 1) {
    entries.push(await beginEntry(ctx, actor, communityId));
  }
  await ctx.database.transaction(async (tx) => {
    if (locked !== undefined) await waitForRules(tx, communityId);
    if (actsOf(known, expected, actor.user_id).length > 0) await keepCommunity(tx, communityId);
    const turn = await takeTurn(tx, ctx, turning);
    const post = await lockAsRead(tx, known);
    if (tagIds !== undefined) requireTags(turn.access.channel, tagIds);
    const changed = changedPost(post, given);
    await store(tx, post, { changed, nowMs: given.nowMs });
    const isMoved = changed.url !== post.url;
    if (isMoved) {
      await dropPreviews(tx, 'post', [id]);
      await showPreviews(tx, ctx, [{ post: changed, access: turn.access }]);
    }
    const acts = actsOf(post, changed, actor.user_id);
    for (const [at, entry] of entries.entries()) {
      const action = acts[at];
      if (action === undefined) break;
      const target = { kind: 'post', id, name: changed.title } as const;
      await audit(tx, entry, { action, target, channel: turn.access.channel });
    }
    const described = postInEvents(changed, isMoved ? { ...named, embeds: new Map() } : named);
    await emitIn(tx, turn, { op: 'POST_UPDATE', d: described });
  }, options);
}

async function store(
  tx: EmittingTransaction,
  post: StoredPost,
  { changed, nowMs }: { readonly changed: StoredPost; readonly nowMs: number },
): Promise<void> {
  const { id, communityId } = post;
  if (changed.isPinned && !post.isPinned) await requirePin(tx.sql, post.channelId);
  if (changed.isPinned !== post.isPinned) {
    await setPin(tx.sql, post, changed.isPinned ? nowMs : undefined);
  }
  if (changed.tagIds !== post.tagIds) {
    await deleteTags(tx.sql, id);
    await insertTags(tx, [changed]);
  }
  const [before, after] = [post, changed].map((each) => subjectsOf(each.mentions, communityId));
  // Who is mentioned only now is not notified.
  if (before && after) await forgetMentions(tx.sql, post, [...before.difference(after)]);
  await updatePost(tx.sql, changed);
  const hasOtherWords = (['title', 'content', 'url'] as const).some(
    (field) => changed[field] !== post[field],
  );
  if (changed.title !== post.title) await addRetitling(tx, { postId: id, nowMs });
  if (changed.title !== post.title || changed.isSensitive !== post.isSensitive) {
    tx.changed('posts', id);
  }
  if (hasOtherWords) await noteChanged(tx.sql, 'posts', [id]);
}
