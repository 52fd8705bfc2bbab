import type { Id, NewChannel } from '@hearth/protocol';
import type { Account } from '../../../src/actor.ts';
import { createChannel } from '../../../src/features/communities/channels/create-channel.ts';
import { createComment } from '../../../src/features/forum/comments/create-comment.ts';
import { createPost } from '../../../src/features/forum/posts/create-post.ts';
import { votePost } from '../../../src/features/forum/voting/cast-vote.ts';
import type { Stage } from './stage.ts';

/** The things that somebody has written in a channel with posts. */
export interface Written {
  readonly post: Id;
  /** A comment on the post. */
  readonly comment: Id;
  readonly options: readonly Id[];
}

/** The channels with posts of a community. */
export interface PostChannels {
  readonly openPosts: Id;
  /** A channel that is hidden from everyone who does not see the secret channel. */
  readonly secretPosts: Id;
}

const DAY_MS = 86_400_000;

/** Makes a channel with questions that everyone sees, and one that only some see. */
export async function makePostChannels(
  { ctx }: Stage,
  owner: Account,
  given: { readonly community_id: Id; readonly overwrites: NewChannel['overwrites'] },
): Promise<PostChannels> {
  const { community_id, overwrites } = given;
  const both = { community_id, kind: 'posts', questions: true } as const;
  const open = await createChannel(ctx, owner, { ...both, name: 'beds' });
  const secret = await createChannel(ctx, owner, { ...both, name: 'hush-hush-beds', overwrites });
  return { openPosts: open.id, secretPosts: secret.id };
}

/** Writes a post with a poll, and a comment on it. */
export async function write(
  { ctx }: Stage,
  author: Account,
  { channel_id, text: title }: { readonly channel_id: Id; readonly text: string },
): Promise<Written> {
  const poll = { options: ['Sage', 'Thyme'], ends_at: ctx.clock.unixMs() + DAY_MS };
  const { id, poll: made } = await createPost(ctx, author, { channel_id, title, poll });
  const comment = await createComment(ctx, author, { post_id: id, content: title });
  const options = made?.options.map((option) => option.id) ?? [];
  return { post: id, comment: comment.id, options };
}

/** Votes for a post, which gives its author points. */
export async function voteFor({ ctx }: Stage, voter: Account, { post }: Written): Promise<void> {
  await votePost(ctx, voter, { id: post, value: 1 });
}
