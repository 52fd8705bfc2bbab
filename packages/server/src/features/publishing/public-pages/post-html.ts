import { personName, type Comment, type UserSummary } from '@hearth/protocol';
import { escapeHtml } from '../../../lib/html.ts';
import type { PlainAddresses } from './addresses.ts';
import type { ListedPost, PublicPost } from './read-public.ts';
import type { RenderedTexts } from './rendered-texts.ts';

/** The number of characters of each comment that a page shows, and of all together. */
const MOST_COMMENT_CHARACTERS = 1_000;
const MOST_TREE_CHARACTERS = 30_000;

/** Posts as a list of links to them. */
export function postListHtml(
  title: string,
  posts: readonly ListedPost[],
  to: PlainAddresses,
): string {
  const items = posts.map(
    ({ post, path }) =>
      `<li>${link(to.at(path), post.title)} ${byLine(post, to)}${post.comment_count > 0 ? ` · ${comments(post)}` : ''}</li>`,
  );
  return `<h1>${bdi(title)}</h1><ul>${items.join('')}</ul>`;
}

/** A post with the beginning of what was said about it. */
export async function postHtml(
  post: PublicPost,
  {
    community,
    communityUrl,
    tree,
    to,
    texts,
  }: {
    readonly community: string;
    readonly communityUrl: string;
    /** Each before its replies. */
    readonly tree: readonly Comment[];
    readonly to: PlainAddresses;
    readonly texts: RenderedTexts;
  },
): Promise<string> {
  return (
    `<article><p>${link(communityUrl, community)}</p><h1 dir="auto">${escapeHtml(post.title)}</h1>` +
    `<p>${byLine(post, to)}</p>` +
    (post.url === undefined ? '' : `<p>${outwards(post.url)}</p>`) +
    `${await texts.html(coveredText(post))}</article>` +
    `<section><h2>${comments(post)}</h2>${await treeHtml(tree, to, texts)}</section>`
  );
}

/** Returns what a post says that need not be covered. */
export function coveredText({
  content = '',
  spoiler,
  sensitive,
}: Pick<PublicPost, 'content' | 'spoiler' | 'sensitive'>): string {
  return spoiler === true || sensitive === true ? '' : content;
}

async function treeHtml(
  tree: readonly Comment[],
  to: PlainAddresses,
  texts: RenderedTexts,
): Promise<string> {
  const [first] = tree;
  if (first === undefined) return '';
  let html = '<ul>';
  let depth = first.depth;
  let characters = 0;
  for (const [at, comment] of tree.entries()) {
    // Parsing takes time: who wants to read more opens the page.
    const text = comment.content ?? '';
    characters += Math.min(text.length, MOST_COMMENT_CHARACTERS);
    if (characters > MOST_TREE_CHARACTERS) break;
    if (comment.depth > depth) html += '<ul>';
    else if (at > 0) html += `</li>${'</ul></li>'.repeat(depth - comment.depth)}`;
    depth = comment.depth;
    const { user } = comment;
    const by = user === undefined ? '' : `<p>${byLine({ ...comment, user }, to)}</p>`;
    const said = await texts.html(text, MOST_COMMENT_CHARACTERS);
    html += `<li>${by}${said}`;
  }
  return `${html}</li>${'</ul></li>'.repeat(depth - first.depth)}</ul>`;
}

function byLine(
  { user, created_at: createdAt }: { readonly user: UserSummary; readonly created_at: number },
  to: PlainAddresses,
): string {
  const name = bdi(personName(user));
  const person =
    user.deleted === true ? name : `<a href="${escapeHtml(to.user(user.username))}">${name}</a>`;
  const iso = new Date(createdAt).toISOString();
  return `${person} <time datetime="${iso}">${iso.slice(0, 10)}</time>`;
}

function comments({ comment_count: count }: PublicPost): string {
  return count === 1 ? '1 comment' : `${count} comments`;
}

function link(url: string, text: string): string {
  return `<a href="${escapeHtml(url)}">${bdi(text)}</a>`;
}

function outwards(url: string): string {
  return `<a href="${escapeHtml(url)}" rel="ugc nofollow noopener">${escapeHtml(url)}</a>`;
}

/** A name or title in its own direction, whatever is beside it. */
function bdi(text: string): string {
  return `<bdi>${escapeHtml(text)}</bdi>`;
}
