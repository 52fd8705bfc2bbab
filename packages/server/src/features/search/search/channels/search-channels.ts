import {
  compareIds,
  type ChannelMessage,
  type Comment,
  type Id,
  type Post,
} from '@hearth/protocol';
import type { Actor } from '../../../../actor.ts';
import { completeListed, type StoredComment } from '../../../forum/comments/comments.ts';
import type { PlacesContext } from '../../../talk/places/places.ts';
import type { KeepsNamedFiles } from '../../../files/uploads/uploads.ts';
import {
  completeMessages,
  type MessagesContext,
  type StoredMessage,
} from '../../../talk/messages/messages.ts';
import { completePosts, type PostsContext } from '../../../forum/posts/posts.ts';
import { COMMENT_ENTRIES, MESSAGE_ENTRIES, POST_ENTRIES, type Entries } from './entries.ts';
import { findEntries, type ChannelSearchInput } from './find-entries.ts';

/** What was found, the newest first. */
export interface Found<Answer> {
  readonly found: readonly Answer[];
  /** Defined if the search stopped because it had read enough: everything with this id or a newer one was searched. */
  readonly stoppedAt: Id | undefined;
}

type SearchContext = KeepsNamedFiles & PlacesContext & PostsContext;

/** A search for one kind of what channels hold. */
type ChannelSearch<Answer> = (
  ctx: SearchContext,
  actor: Actor,
  input: ChannelSearchInput,
) => Promise<Found<Answer>>;

/**
 * The newest messages of channels that have what is searched. Throws NotFoundError if the caller may not know that the
 * channel or community exists, and ValidationError if nothing is searched, or the channel holds no messages.
 */
export const searchChannels: ChannelSearch<ChannelMessage> = searching(
  MESSAGE_ENTRIES,
  completeAll,
);

/** The same for posts, as lists show them. */
export const searchPosts: ChannelSearch<Post> = searching(POST_ENTRIES, (ctx, actor, posts) =>
  completePosts(ctx, actor, { posts, isList: true }),
);

/** The same for comments on posts. */
export const searchComments: ChannelSearch<Comment> = searching(COMMENT_ENTRIES, withSettings);

function searching<Stored, Answer>(
  kind: Entries<Stored>,
  complete: (
    ctx: SearchContext,
    actor: Actor,
    stored: readonly Stored[],
  ) => Promise<readonly Answer[]>,
): ChannelSearch<Answer> {
  return async (ctx, actor, input) => {
    const { entries, stoppedAt } = await findEntries(ctx, actor, { kind, ...input });
    const stored = entries.map((entry) => entry.stored);
    return { found: await complete(ctx, actor, stored), stoppedAt };
  };
}

/** The messages with everything that they name, in the same order. */
async function completeAll(
  ctx: MessagesContext,
  actor: Actor,
  messages: readonly StoredMessage[],
): Promise<readonly ChannelMessage[]> {
  const complete: ChannelMessage[] = [];
  for (const ofChannel of Map.groupBy(messages, ({ channelId }) => channelId).values()) {
    complete.push(...(await completeMessages(ctx, actor, ofChannel)));
  }
  return complete.toSorted((one, other) => compareIds(other.id, one.id));
}

async function withSettings(
  ctx: PostsContext,
  actor: Actor,
  comments: readonly StoredComment[],
): Promise<readonly Comment[]> {
  const [first] = comments;
  const community = first && (await ctx.communities.get(first.communityId));
  return completeListed(
    ctx,
    actor,
    comments.map((comment) => {
      const channel = community?.channelById.get(comment.channelId);
      return { comment, settings: channel?.postSettings ?? {} };
    }),
  );
}
