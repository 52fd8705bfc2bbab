import { ForbiddenError, type AuditAction, type Id, type PostChange } from '@hearth/protocol';
import type { Account } from '../../../actor.ts';
import type { Context } from '../../../context.ts';
import { requireIn, type ChannelAccess } from '../../communities/structure/structure.ts';
import { may, requireMember, type Requirement } from '../../talk/places/places.ts';
import type { StoredPost } from './stored-post.ts';
import type { Mentions } from '../../talk/mentions/mentions.ts';

interface Changing {
  readonly actor: Account;
  readonly post: StoredPost;
  readonly change: PostChange;
}

/** Returns what somebody needs for a change of a post. */
export function requirementsOf(
  { clock }: Pick<Context, 'clock'>,
  { actor, post, change }: Changing,
): Requirement<ChannelAccess> {
  const { title, content, url, tag_ids: tagIds, spoiler, sensitive, pinned, locked } = change;
  const isOwn = post.userId === actor.user_id;
  return (access) => {
    requireMember(access);
    const nowMs = clock.unixMs();
    if (title !== undefined || content !== undefined || url !== undefined) {
      if (!isOwn) throw new ForbiddenError({ code: 'not_author' });
      requireIn(access, 'CREATE_POSTS', nowMs);
    }
    if ((tagIds ?? spoiler ?? sensitive) !== undefined) {
      if (!isOwn) requireIn(access, 'MANAGE_CONTENT', nowMs);
      else if (!may(access, 'MANAGE_CONTENT')) requireIn(access, 'CREATE_POSTS', nowMs);
    }
    if (pinned !== undefined) requireIn(access, 'PIN', nowMs);
    if (locked !== undefined) requireIn(access, 'MANAGE_CONTENT', nowMs);
    // What changes nothing needs a reason, too, to be asked for.
    if (may(access, 'MANAGE_CONTENT') || may(access, 'PIN')) return;
    if (!isOwn) throw new ForbiddenError({ code: 'not_author' });
    requireIn(access, 'CREATE_POSTS', nowMs);
  };
}

/** A post after a change; the same post if nothing changes. */
export function changedPost(
  post: StoredPost,
  {
    change,
    mentions = {},
    nowMs,
  }: {
    readonly change: PostChange;
    readonly mentions: Mentions | undefined;
    readonly nowMs: number;
  },
): StoredPost {
  const title = change.title ?? post.title;
  const content = change.content === undefined ? post.content : (change.content ?? '');
  const url = change.url === undefined ? post.url : (change.url ?? '');
  const isEdited = title !== post.title || content !== post.content || url !== post.url;
  const marks = {
    isSpoiler: change.spoiler ?? post.isSpoiler,
    isSensitive: change.sensitive ?? post.isSensitive,
    isPinned: change.pinned ?? post.isPinned,
    isLocked: change.locked ?? post.isLocked,
  };
  const isTagged =
    change.tag_ids !== undefined && change.tag_ids.join(' ') !== post.tagIds.join(' ');
  const isMarked =
    marks.isSpoiler !== post.isSpoiler ||
    marks.isSensitive !== post.isSensitive ||
    marks.isPinned !== post.isPinned ||
    marks.isLocked !== post.isLocked;
  if (!isEdited && !isTagged && !isMarked) return post;
  return {
    ...post,
    ...marks,
    title,
    content,
    url,
    tagIds: isTagged ? (change.tag_ids ?? []) : post.tagIds,
    mentions: content === post.content ? post.mentions : mentions,
    editedAtMs: isEdited ? nowMs : post.editedAtMs,
    version: post.version + 1,
  };
}

/** Returns what the audit log records of a change: pins and locks, and marks of a post of somebody else. */
export function actsOf(post: StoredPost, changed: StoredPost, userId: Id): readonly AuditAction[] {
  const acts: AuditAction[] = [];
  if (post.isPinned !== changed.isPinned) acts.push(changed.isPinned ? 'post_pin' : 'post_unpin');
  if (post.isLocked !== changed.isLocked) acts.push(changed.isLocked ? 'post_lock' : 'post_unlock');
  const isMarked =
    post.tagIds !== changed.tagIds ||
    post.isSpoiler !== changed.isSpoiler ||
    post.isSensitive !== changed.isSensitive;
  if (isMarked && post.userId !== userId) acts.push('post_update');
  return acts;
}
