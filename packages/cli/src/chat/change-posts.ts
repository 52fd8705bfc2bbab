import { MOST_COMMENT_CHARACTERS } from '@hearth/protocol';
import type { Voted } from '@hearth/sdk';
import type { Surroundings } from '../command.ts';
import { warnOfBusy } from './limit-notices.ts';
import { LineWriter } from './line-writer.ts';
import { jsonLine } from './post-text.ts';
import { inputText } from './send.ts';
import { requireComment, requirePost } from './show-post.ts';
import { missingAccount, withClient, type InstanceRequest } from './with-client.ts';

/** A post, and perhaps one of its comments. */
interface SubjectRequest extends InstanceRequest {
  readonly post: string;
  readonly comment: string | undefined;
  readonly asJson: boolean;
}

/** The arguments of `hearth post comment`. */
export interface CommentRequest extends SubjectRequest {
  /** `-` for standard input. */
  readonly text: string;
}

/** The arguments of `hearth post vote`. */
export interface VoteRequest extends SubjectRequest {
  readonly value: 1 | 0 | -1;
}

/** Comments on a post, or replies to a comment, and prints the id of the comment. Resolves with the exit code. */
export function commentOnPost(
  { post, comment, text, asJson, ...instance }: CommentRequest,
  surroundings: Surroundings,
): Promise<number> {
  const { warn, streams } = surroundings;
  return withClient(instance, surroundings, async (client, account) => {
    const [id, parentId] = [requirePost(post), requireComment(comment)];
    if (account === undefined) return missingAccount(client, warn);
    const content = text === '-' ? await inputText(MOST_COMMENT_CHARACTERS, surroundings) : text;
    if (content === undefined) return 1;
    warnOfBusy(client, surroundings);
    const parent = parentId === undefined ? {} : { parent_id: parentId };
    const created = await client.posts.comments.create(id, { content, ...parent });
    const output = new LineWriter(streams.stdout);
    output.write(asJson ? jsonLine(created) : `${created.id}\n`);
    return output.finish(warn);
  });
}

/** Votes for a post or a comment, and prints its score. Resolves with the exit code. */
export function votePost(
  { post, comment, value, asJson, ...instance }: VoteRequest,
  surroundings: Surroundings,
): Promise<number> {
  const { warn, streams } = surroundings;
  return withClient(instance, surroundings, async (client, account) => {
    const [id, commentId] = [requirePost(post), requireComment(comment)];
    if (account === undefined) return missingAccount(client, warn);
    warnOfBusy(client, surroundings);
    const voted =
      commentId === undefined
        ? await client.posts.vote(id, value)
        : await client.posts.comments.vote(commentId, value);
    const output = new LineWriter(streams.stdout);
    output.write(asJson ? jsonLine(voted) : `${scoreText(voted)}\n`);
    return output.finish(warn);
  });
}

function scoreText({ score, upvotes, downvotes }: Voted): string {
  if (score === undefined) return 'The score is still hidden';
  return `The score is ${score}: ${upvotes ?? 0} up, ${downvotes ?? 0} down`;
}
