import type { Id, Poll, Post } from '@hearth/protocol';
import type { Context } from '../../../context.ts';
import type { EmittingTransaction } from '../../../ports/outbox/outbox.ts';
import {
  acceptInOrder,
  claim,
  dropOutdated,
  holdFiles,
  keyOf,
  readPaces,
  takePlaces,
  type Check,
} from '../../talk/messages/messages.ts';
import { emitIn, requireMember } from '../../talk/places/places.ts';
import { noteMentions } from '../../talk/mentions/mentions.ts';
import { onceEach } from '../../platform/nonces/nonces.ts';
import { notifyPeople, type Concerning } from '../../talk/notifications/notifications.ts';
import { addPolls } from '../polls/polls.ts';
import { markOwn } from '../../talk/read-states/read-states.ts';
import { aboveIndexes } from '../../talk/index-queue/index-queue.ts';
import { insertPostFiles } from './post-file-store.ts';
import { postInEvents } from './post-in-events.ts';
import { channelOf, placedOf, type Placed, type Posted, type PostWrite } from './post-write.ts';
import { showPreviews } from './show-previews.ts';
import { insertPosts, insertTags } from './store.ts';
import {
  holdElsewhere,
  lockElsewhere,
  writeElsewhere,
  type Communities,
} from './write-elsewhere.ts';

/**
 * Writes posts to any channels in one transaction, those of a channel in the order of the list, with what they change in channels
 * with messages. The same nonce twice is one post. What drops out is outdated, was posted before, or is refused with NotFoundError,
 * ForbiddenError, RateLimitedError in slow mode, ConflictError, ValidationError or IdTooLow.
 */
export async function writePosts(
  tx: EmittingTransaction,
  writes: readonly PostWrite[],
): Promise<readonly Posted[]> {
  const [first] = writes;
  if (first === undefined) return [];
  const { ctx } = first;
  const nowMs = ctx.clock.unixMs();
  const channelIds = new Set(writes.map(channelOf));
  const entries = await aboveIndexes(tx, ctx, { entries: onceEach(writes, keyOf), channelIds });
  await claim(tx, entries, nowMs);
  await holdElsewhere(tx, entries);
  const placed = (await takePlaces(tx, entries, { ctx, nowMs })).map(placedOf);
  // First, because what is outdated must not refuse anything.
  await insert(tx, ctx, placed);
  const { communities, sources } = await lockElsewhere(tx, ctx, placed);
  await requireAllowed(tx, placed, { nowMs, sources });
  const posts = placed.map(({ post }) => post);
  await insertPostFiles(tx, posts);
  await insertTags(tx, posts);
  const polls = await addPolls(
    tx,
    placed.flatMap(({ post, draft: { poll } }) => (poll === undefined ? [] : [{ post, poll }])),
  );
  await showPreviews(
    tx,
    ctx,
    placed.map(({ post, turning: { access } }) => ({ post, access })),
  );
  await noteMentions(tx, posts);
  await markOwn(
    tx,
    posts.map((post) => ({ ...post, lastReadId: post.id })),
  );
  const posted = new Map<string, Posted>();
  for (const each of placed) {
    posted.set(keyOf(each, each.at), {
      post: await emit(tx, ctx, { ...each, polls, communities }),
    });
  }
  await notifyPeople(tx, ctx, placed.flatMap(concerning));
  return writes.map((write, at) => {
    const own = posted.get(keyOf(write, at));
    if (own === undefined) throw new TypeError('a post was neither written nor refused');
    return own;
  });
}

/** Refuses who has to wait in slow mode, and what cannot have its message or its files. */
async function requireAllowed(
  tx: EmittingTransaction,
  placed: readonly Placed[],
  { nowMs, sources }: { readonly nowMs: number; readonly sources: Check<Placed> },
): Promise<void> {
  const paces = await readPaces(tx, placed, nowMs);
  acceptInOrder<Placed>(placed, [sources, paces, await holdFiles(tx, placed)]);
  await paces.store();
}

async function insert(
  tx: EmittingTransaction,
  ctx: Pick<Context, 'clock'>,
  placed: readonly Placed[],
): Promise<void> {
  const inserted = await insertPosts(
    tx,
    placed.map(({ post, turning: { access } }) => ({ post, member: requireMember(access) })),
  );
  const others = placed.filter(({ post }) => !inserted.has(post.id));
  if (others.length > 0) await dropOutdated(tx, ctx, others);
}

/** A post that was written, before it is sent. */
interface Written extends Placed {
  readonly polls: ReadonlyMap<Id, Poll>;
  readonly communities: Communities;
}

/** Sends a post to those who see its channel, and what it changes elsewhere to those who see that. Returns it as all of them see it. */
async function emit(
  tx: EmittingTransaction,
  ctx: Pick<Context, 'ids' | 'clock'>,
  { polls, communities, ...placed }: Written,
): Promise<Post> {
  const { post, draft, turning, number } = placed;
  const links = new Map(draft.links && [[post.id, draft.links]]);
  const described = postInEvents(post, { ...draft.named, links, polls });
  const d = draft.nonce === '' ? described : { ...described, nonce: draft.nonce };
  await emitIn(tx, { access: turning.access, number }, { op: 'POST_CREATE', d });
  await writeElsewhere(tx, ctx, { placed, communities });
  return described;
}

function concerning({ post, draft: { author, mentions } }: Placed): readonly Concerning[] {
  if (mentions.users === undefined) return [];
  return [{ ...post, postId: post.id, author, mentioned: mentions.users, repliedTo: undefined }];
}
