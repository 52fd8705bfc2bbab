import { ForbiddenError, NotFoundError, ValidationError, type Id } from '@hearth/protocol';
import type { Actor } from '../../../actor.ts';
import type { Context } from '../../../context.ts';
import {
  accessToPlace,
  requireIn,
  type AccessContext,
  type ChannelAccess,
} from '../../communities/structure/structure.ts';
import { may, requireMember, type Requirement } from '../../talk/places/places.ts';
import { selectPost } from './store.ts';
import type { StoredPost } from './stored-post.ts';

/** Somebody in the channel of a post that they may see. */
export interface PostAccess extends ChannelAccess {
  readonly post: StoredPost;
}

/**
 * Returns what somebody may do with a post. Throws NotFoundError if they may not know that it exists, after the same
 * queries as for one that does not.
 */
export async function accessToPost(
  ctx: AccessContext,
  actor: Actor,
  postId: Id,
): Promise<PostAccess> {
  // First, so that nothing is read of a post that is hidden.
  const access = await accessToPlace(ctx, actor, { kind: 'post', id: postId });
  const post = await selectPost(ctx.database.reader, postId);
  if (post === undefined) throw new NotFoundError();
  return { ...access, post };
}

/** Throws ForbiddenError for a post that is locked: nobody may vote, and only those who manage content may comment. */
export function requireOpen({ isLocked }: Pick<StoredPost, 'isLocked'>): void {
  if (isLocked) throw new ForbiddenError({ code: 'post_locked' });
}

/** Throws ValidationError if a channel holds no posts. */
export function requirePosts({ channel: { kind } }: ChannelAccess): void {
  if (kind === 'posts') return;
  throw new ValidationError(
    'kind',
    `must be a channel with posts, and this one is of the kind ${kind}`,
  );
}

/** Requires what it takes to post in a channel: a membership and CREATE_POSTS. Throws ValidationError and ForbiddenError. */
export function requirePosting({ clock }: Pick<Context, 'clock'>): Requirement<ChannelAccess> {
  return (access) => {
    requirePosts(access);
    requireMember(access);
    requireIn(access, 'CREATE_POSTS', clock.unixMs());
  };
}

/** Requires the author of a post, who may still post, or a member who manages content. Throws ForbiddenError. */
export function requireAuthorOrModerator(
  { clock }: Pick<Context, 'clock'>,
  userId: Id,
  post: Pick<StoredPost, 'userId'>,
): Requirement<ChannelAccess> {
  return (access) => {
    requireMember(access);
    const isAuthor = post.userId === userId && !may(access, 'MANAGE_CONTENT');
    requireIn(access, isAuthor ? 'CREATE_POSTS' : 'MANAGE_CONTENT', clock.unixMs());
  };
}
