import { accountName } from './author-name.ts';
import { parseId, type Id, type ReceivedComment, type ReceivedPost } from '@hearth/sdk';
import type { Listing } from '../listing.ts';
import { coveredText } from './message-text.ts';
import { counted, escapeUnsafe, fileName, formatTime, inLine, printable } from '../text.ts';

export const POST_LISTING: Listing<ReceivedPost> = {
  fields: (post) => post,
  columns: [
    ['ID', ({ id }) => id],
    ['POSTED', ({ created_at: createdAt }) => formatTime(createdAt)],
    ['SCORE', ({ score }) => (score === undefined ? '-' : String(score))],
    ['COMMENTS', ({ comment_count: count }) => String(count)],
    ['AUTHOR', ({ user }) => inLine(accountName(user))],
    ['TITLE', ({ title }) => inLine(title)],
  ],
  whenEmpty: 'There are no posts',
};

/** The id of a post that somebody names: by its id, or by the address of its page. */
export function postIdOf(given: string): Id | undefined {
  const [, id] = /\/p\/(\d+)(?:[/?#]|$)/.exec(given) ?? [];
  return parseId(id ?? given.trim());
}

/** A value as one line of JSON. */
export function jsonLine(value: unknown): string {
  return `${escapeUnsafe(JSON.stringify(value))}\n`;
}

/** A post, and as much of its comments as was read. */
export function postText(post: ReceivedPost): string {
  const { title, content, url, attachments = [], poll } = post;
  const marks = (['pinned', 'locked', 'spoiler', 'sensitive'] as const).filter(
    (name) => post[name],
  );
  const facts = [factsOf(post), counted(post.comment_count, 'comment'), ...marks];
  const lines = [inLine(title), facts.join(', ')];
  if (url !== undefined) lines.push(inLine(url));
  for (const { name, alt } of attachments) {
    const shown = fileName(name);
    lines.push(`[${alt === undefined ? shown : `${shown}: ${inLine(alt)}`}]`);
  }
  for (const { text, votes } of poll?.options ?? []) {
    lines.push(`- ${inLine(text)}${votes === undefined ? '' : ` (${counted(votes, 'vote')})`}`);
  }
  if (content !== undefined) lines.push('', ...linesOf(content));
  return `${lines.join('\n')}\n`;
}

/** Comments as a tree. Those that are deeper than was read are counted. */
export function treeText(comments: readonly ReceivedComment[], foldedHint: string): string {
  const shown = new Map<Id, number>();
  for (const { parent_id: id } of comments) if (id) shown.set(id, (shown.get(id) ?? 0) + 1);
  const least = Math.min(...comments.map(({ depth }) => depth));
  const blocks = comments.map((comment, index) => {
    const indent = '  '.repeat(comment.depth - least + 1);
    const text = [commentHead(comment), ...linesOf(comment.content ?? '(deleted)')];
    const ended = endedBy(comments, index).map((each) => {
      const rest = each.reply_count - (shown.get(each.id) ?? 0);
      if (rest <= 0) return [];
      const further = rest === 1 ? '1 more reply' : `${rest} more replies`;
      return [
        `${'  '.repeat(each.depth - least + 2)}… ${further}: ${foldedHint} --under ${each.id}`,
      ];
    });
    return [...text.map((line) => `${indent}${line}`.trimEnd()), ...ended.flat()].join('\n');
  });
  return blocks.length === 0 ? '' : `\n${blocks.join('\n\n')}\n`;
}

/** The comments whose replies end with this one, the innermost first. */
function endedBy(comments: readonly ReceivedComment[], index: number): readonly ReceivedComment[] {
  const { depth: next = -1 } = comments[index + 1] ?? {};
  const ended: ReceivedComment[] = [];
  let depth = Infinity;
  for (let at = index; at >= 0; at -= 1) {
    const comment = comments[at];
    if (comment === undefined || depth <= next) break;
    if (comment.depth >= depth) continue;
    depth = comment.depth;
    if (depth >= next) ended.push(comment);
  }
  return ended;
}

function commentHead(comment: ReceivedComment): string {
  return `${factsOf(comment)} (${comment.id})`;
}

function factsOf({
  user,
  created_at: createdAt,
  edited_at: editedAt,
  score,
}: Pick<ReceivedComment, 'user' | 'created_at' | 'edited_at' | 'score'>): string {
  const parts = [user === undefined ? 'deleted' : inLine(accountName(user)), formatTime(createdAt)];
  if (score !== undefined) parts.push(score === 1 ? '1 point' : `${score} points`);
  if (editedAt !== undefined) parts.push('edited');
  return parts.join(', ');
}

function linesOf(text: string): readonly string[] {
  return coveredText(text)
    .split(/\r?\n/)
    .map((line) => printable(line.replaceAll('\t', '    ')));
}
