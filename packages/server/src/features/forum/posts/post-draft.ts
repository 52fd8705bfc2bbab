import { ValidationError, type Id, type NewPoll, type NewPost } from '@hearth/protocol';
import type { AccessContext, KnownChannel } from '../../communities/structure/structure.ts';
import { inChannel, type ChannelPlace, type Turning } from '../../talk/places/places.ts';
import { givenFiles, type Draft, type InTurn } from '../../talk/writing/writing.ts';
import { requireEnd } from '../polls/polls.ts';
import { ranksOf } from './ranks.ts';
import { elsewhereOf, type Elsewhere } from './elsewhere.ts';
import { peopleInPosts, type Links, type NamedInPosts } from './describe-post.ts';
import { linksOf } from './post-links.ts';
import { resolveMentions } from '../../talk/mentions/mentions.ts';
import type { StoredPost } from './stored-post.ts';
import type { PostsContext } from './posts-context.ts';

/** The contents of a post; `crosspostOf` is a post that the author sees, or empty. */
export type PostContents = NewPost & { readonly crosspostOf: Id | '' };

/** A post before it has a place in its channel. */
export interface PostDraft extends Draft {
  readonly title: string;
  readonly url: string;
  readonly tagIds: readonly Id[];
  readonly isSpoiler: boolean;
  readonly isSensitive: boolean;
  readonly crosspostOf: Id | '';
  readonly elsewhere: Elsewhere;
  readonly poll: NewPoll | undefined;
  readonly named: NamedInPosts;
  readonly links: Links | undefined;
  readonly createdAtMs: number;
}

/** A post in the order of its channel. */
export type PlacedPost = InTurn<PostDraft> & { readonly post: StoredPost };

/** A draft of what somebody posts. Throws ForbiddenError and ValidationError. */
export async function draftOf(
  ctx: AccessContext & PostsContext,
  turning: Turning<ChannelPlace>,
  { attachments: given, crosspostOf, from_message: from, ...input }: PostContents,
): Promise<PostDraft> {
  const { actor, access } = turning;
  const { postSettings } = access.channel;
  const author = await ctx.users.get(actor.user_id);
  const tagIds = input.tag_ids ?? [];
  requireTags(access.channel, tagIds);
  const content = input.content ?? '';
  const mentions = await resolveMentions(ctx, access, content);
  const { files, known } = await givenFiles(ctx, actor, { access, given });
  const createdAtMs = ctx.clock.unixMs();
  const { poll } = input;
  if (poll !== undefined) requireEnd(poll, createdAtMs);
  const draft = {
    author,
    title: input.title,
    content,
    url: input.url ?? '',
    tagIds,
    mentions,
    files,
    isSpoiler: input.spoiler ?? false,
    isSensitive: input.sensitive ?? false,
    nonce: input.nonce ?? '',
    repliedTo: undefined,
    crosspostOf,
    elsewhere: await elsewhereOf(ctx, turning, from),
    poll,
    createdAtMs,
  };
  const users = await ctx.users.all(peopleInPosts([{ userId: author.id, mentions }]));
  const named = { users, files: known, settings: () => postSettings, nowMs: createdAtMs };
  // Its id is not known yet; any will do for finding what it links to.
  const links = await linksOf(ctx, [postOfDraft(draft, access.channel, access.channel.id)]);
  return { ...draft, named, links: links.get(access.channel.id) };
}

/** Throws ValidationError for a tag that a channel has not. */
export function requireTags({ postSettings }: KnownChannel, tagIds: readonly Id[]): void {
  const known = new Set(postSettings.tags?.map(({ id }) => id));
  if (tagIds.every((id) => known.has(id))) return;
  throw new ValidationError('tag_ids', 'must be the ids of tags of the channel');
}

/** A post in its place. */
export function placedOf(entry: InTurn<PostDraft>): PlacedPost {
  const { id, turning, draft, writtenAtMs: createdAtMs } = entry;
  return {
    ...entry,
    post: postOfDraft({ ...draft, createdAtMs }, inChannel(turning.access).channel, id),
  };
}

function postOfDraft(
  draft: Omit<PostDraft, 'named' | 'links'>,
  { id: channelId, communityId }: Pick<KnownChannel, 'id' | 'communityId'>,
  id: Id,
): StoredPost {
  const { title, content, url, tagIds, mentions, files, createdAtMs, crosspostOf } = draft;
  const totals = { upvotes: 0, downvotes: 0 };
  const source = draft.elsewhere.source?.message;
  return {
    id,
    channelId,
    communityId,
    userId: draft.author.id,
    title,
    content,
    url,
    tagIds,
    mentions,
    files,
    createdAtMs,
    editedAtMs: 0,
    isPinned: false,
    isLocked: false,
    isSpoiler: draft.isSpoiler,
    isSensitive: draft.isSensitive,
    crosspostOf,
    fromChannelId: source?.channelId ?? '',
    fromMessageId: source?.id ?? '',
    acceptedCommentId: '',
    ...totals,
    ...ranksOf({ ...totals, createdAtMs, activeAtMs: 0 }),
    commentCount: 0,
    commentNumber: 0,
    lastCommentAtMs: 0,
    version: 1,
  };
}
