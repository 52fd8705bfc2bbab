import { HearthError, parseId, type CommentSort, type Id } from '@hearth/sdk';
import type { Surroundings } from '../command.ts';
import { inLine } from '../text.ts';
import { LineWriter } from './line-writer.ts';
import { jsonLine, postIdOf, postText, treeText } from './post-text.ts';
import { withClient, type InstanceRequest } from './with-client.ts';

/** A post or a comment that somebody named, and that has no such form. */
export class UnknownPostError extends HearthError {}

/** The arguments of `hearth post show`. */
export interface ShowRequest extends InstanceRequest {
  readonly post: string;
  readonly sort: CommentSort | undefined;
  readonly depth: number;
  /** Only the replies to this comment. */
  readonly under: string | undefined;
  readonly asJson: boolean;
}

/** So many comments are printed at most. */
const MOST_COMMENTS = 100;

/** Prints a post and its comments. Resolves with the exit code. */
export function showPost(
  { post: given, sort, depth, under, asJson, ...instance }: ShowRequest,
  { warn, env, streams }: Surroundings,
): Promise<number> {
  return withClient(instance, { warn, env }, async (client) => {
    const id = requirePost(given);
    const query = { sort, depth, under: requireComment(under), limit: MOST_COMMENTS };
    const [post, { entries: comments, next }] = await Promise.all([
      client.posts.find(id),
      client.posts.comments.list(id, query),
    ]);
    const output = new LineWriter(streams.stdout);
    if (asJson) output.write(jsonLine({ post, comments }));
    else {
      const hint = `hearth post show ${inLine(instance.url)} ${id}`;
      output.write(`${postText(post)}${treeText(comments, hint)}`);
      if (next !== undefined) output.write('\n… more comments follow these\n');
    }
    return output.finish(warn);
  });
}

/** The id of the post that was named. Throws UnknownPostError. */
export function requirePost(given: string): Id {
  const id = postIdOf(given);
  if (id !== undefined) return id;
  throw new UnknownPostError(`expected the address or the id of a post, got "${inLine(given)}"`);
}

/** The id of the comment that was named, if one was. Throws UnknownPostError. */
export function requireComment(given: string | undefined): Id | undefined {
  if (given === undefined) return undefined;
  const id = parseId(given);
  if (id !== undefined) return id;
  throw new UnknownPostError(`expected the id of a comment, got "${inLine(given)}"`);
}
