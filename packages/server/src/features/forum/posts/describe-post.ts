import { beginningOf } from '@hearth/markdown';
import type { AttachedFile, Embed, Id, Post, PostSettings, UserSummary } from '@hearth/protocol';
import { MOST_LISTED_CHARACTERS } from '@hearth/protocol/schemas';
import { deletedUser } from '../../accounts/users/users.ts';
import { describeTotals } from '../votes/votes.ts';
import type { StoredPost } from './stored-post.ts';

/** Everything that posts name. */
export interface NamedInPosts {
  readonly users: ReadonlyMap<Id, UserSummary>;
  readonly files: ReadonlyMap<Id, AttachedFile>;
  readonly settings: (place: Pick<StoredPost, 'channelId' | 'communityId'>) => PostSettings;
  readonly nowMs: number;
  /** The previews of their addresses, by the ids of posts. */
  readonly embeds?: ReadonlyMap<Id, readonly Embed[]>;
  /** True if only the beginning of the content is shown. */
  readonly isList?: boolean;
  /** The posts that they name, and that everyone sees who sees the post; by its id. */
  readonly links?: ReadonlyMap<Id, Links>;
}

/** The things to which a post links, as far as everyone who sees the post sees them. */
export type Links = Pick<Post, 'from_message' | 'crosspost_of' | 'mention_posts'>;

/** A post as everyone sees it. */
export function describePost(post: StoredPost, named: NamedInPosts): Post {
  const settings = named.settings(post);
  const { title, url, mentions, files, commentCount, acceptedCommentId } = post;
  const tagIds = post.tagIds.filter((id) => settings.tags?.some((tag) => tag.id === id) === true);
  const described: Post = {
    id: post.id,
    channel_id: post.channelId,
    community_id: post.communityId,
    user: userIn(named, post.userId),
    title,
    created_at: post.createdAtMs,
    ...describeTotals(post, post.createdAtMs, { settings, nowMs: named.nowMs }),
    comment_count: commentCount,
    version: post.version,
  };
  if (post.content !== '') addContent(described, post, named);
  const links = named.links?.get(post.id);
  if (links !== undefined) Object.assign(described, links);
  if (url !== '') described.url = url;
  const embeds = named.embeds?.get(post.id);
  if (url !== '' && embeds !== undefined) described.embeds = [...embeds];
  if (files.length > 0) described.attachments = attachedIn(post, named);
  if (tagIds.length > 0) described.tag_ids = tagIds;
  if (mentions.users !== undefined) {
    described.mentions = mentions.users.map((id) => userIn(named, id));
  }
  if (post.editedAtMs > 0) described.edited_at = post.editedAtMs;
  if (post.isPinned) described.pinned = true;
  if (post.isLocked) described.locked = true;
  if (post.isSpoiler) described.spoiler = true;
  if (post.isSensitive) described.sensitive = true;
  if (acceptedCommentId !== '') described.accepted_comment_id = acceptedCommentId;
  return described;
}

export function peopleInPosts(posts: Iterable<Pick<StoredPost, 'userId' | 'mentions'>>): Set<Id> {
  const people = new Set<Id>();
  for (const { userId, mentions } of posts) {
    people.add(userId);
    for (const id of mentions.users ?? []) people.add(id);
  }
  return people;
}

function addContent(described: Post, { content }: StoredPost, { isList }: NamedInPosts): void {
  described.content = content;
  if (isList !== true || content.length <= MOST_LISTED_CHARACTERS) return;
  const characters = Array.from(content.slice(0, 2 * MOST_LISTED_CHARACTERS + 2));
  const cut = characters.slice(0, MOST_LISTED_CHARACTERS).join('');
  if (cut.length === content.length) return;
  described.content = beginningOf(content, cut.length);
  described.content_cut = true;
}

function attachedIn({ files }: StoredPost, named: NamedInPosts): AttachedFile[] {
  return files.flatMap(({ id, alt }) => {
    const file = named.files.get(id);
    if (file === undefined) return [];
    return [alt === undefined ? file : { ...file, alt }];
  });
}

function userIn({ users }: NamedInPosts, id: Id): UserSummary {
  return users.get(id) ?? deletedUser(id);
}
