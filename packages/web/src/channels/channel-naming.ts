import { nameOfPerson } from '../conversation/author.ts';
import { namingTexts } from '@hearth/markdown';
import { parseUrl, webPath, type Id, type UserSummary } from '@hearth/protocol';
import type { MyCommunity } from '@hearth/sdk';
import { channelPath } from '../communities/paths.ts';
import type { NamedPart, Naming, TextPart } from '../conversation/mentions.ts';
import type { NamedIn } from '../conversation/messages/entry.ts';
import { ownPath } from '../lib/own-path.ts';

/** The reader, and the place where they read. */
export interface NamingReader {
  readonly owner: Id | undefined;
  /** Undefined for those who are not members. */
  readonly community: MyCommunity | undefined;
}

const WORD = /(?<![\p{L}\p{N}@#/])[@#][^\s@#]+/gu;
/** The address of a post, below that of the instance. */
const POST_ADDRESS = /\/c\/([a-z0-9_.-]+)\/p\/(\d+)(?:\/[^/]*)?$/;
const POST_PATH = /(?<![^\s(<>])\/c\/([a-z0-9_.-]+)\/p\/(\d+)(?!\d)(?:\/[\p{L}\p{N}_-]+)?/gu;
/** Longer words name nothing. */
const MOST_WORD_LENGTH = 200;
const TRAILING = /[^\p{L}\p{N}]+$/u;
const LEADING_RUN = /^.[\p{L}\p{M}\p{N}_.-]+/u;

/**
 * Returns what a message of a channel names, as the instance has resolved it: people and roles with the names that they
 * have now, and channels. What the reader does not know stays as it was written.
 */
export function namingOf(named: NamedIn | undefined, reader: NamingReader): Naming {
  if (named === undefined) return { isForReader: false, split: (text) => [text] };
  const parts = namedParts(named, reader);
  const { mention_posts: posts = [] } = named;
  return {
    isForReader: [...parts.values()].some((part) => part.isForReader),
    split: (text) =>
      withPosts(text, posts).flatMap((part) =>
        typeof part === 'string' ? split(part, parts) : [part],
      ),
    linkTo: (href) => {
      const found = POST_ADDRESS.exec(parseUrl(href)?.pathname ?? '');
      return found === null ? undefined : postPart(found, posts);
    },
  };
}

type NamedPosts = NonNullable<NamedIn['mention_posts']>;

/** The post of an address, if the instance says that the text mentions it. */
function postPart([, slug = '', id]: RegExpExecArray, posts: NamedPosts): NamedPart | undefined {
  const post = posts.find((each) => each.id === id);
  if (post === undefined) return undefined;
  const href = ownPath(webPath('untitledPost', { slug, post_id: post.id }));
  return { text: post.title, href, isForReader: false };
}

/** A text in parts, with the posts whose addresses are in it. */
function withPosts(text: string, posts: NamedPosts): readonly TextPart[] {
  if (posts.length === 0) return [text];
  const shown: TextPart[] = [];
  let end = 0;
  for (const found of text.matchAll(POST_PATH)) {
    const part = postPart(found, posts);
    if (part === undefined) continue;
    shown.push(text.slice(end, found.index), part);
    end = found.index + found[0].length;
  }
  return [...shown, text.slice(end)].filter((part) => part !== '');
}

/** A role of a community as a text mentions it. */
export function mentionOfRole(name: string): string {
  return `@${name.trim().replaceAll(/\s+/gu, '-')}`;
}

/** Returns whether a text has one of these words, which begin with `@`. */
export function namesOneOf(text: string, words: readonly string[]): boolean {
  const wanted = new Set(words.map(folded));
  return namingTexts(text)
    .flatMap((part) => Array.from(part.matchAll(WORD), ([word]) => formsOf(word)))
    .flat()
    .some((form) => wanted.has(folded(form)));
}

/** Returns what may be written, folded, and what is shown for it. */
function namedParts(
  {
    mentions = [],
    mention_roles: roleIds = [],
    mention_channels: channelIds = [],
    ...rest
  }: NamedIn,
  { owner, community }: NamingReader,
): ReadonlyMap<string, NamedPart> {
  const parts = new Map<string, NamedPart>();
  const { roles = [], channels = [], membership, slug = '' } = community ?? {};
  for (const { id, name } of roles.filter((role) => roleIds.includes(role.id))) {
    const isForReader = membership?.role_ids.includes(id) === true;
    parts.set(folded(mentionOfRole(name)), { text: `@${name}`, isForReader });
  }
  if (rest.mentions_all) parts.set('@all', { text: '@all', isForReader: true });
  // The name that a person and a role have is that of the person.
  for (const user of mentions) parts.set(folded(`@${user.username}`), personPart(user, owner));
  for (const { id, name } of channels.filter((channel) => channelIds.includes(channel.id))) {
    const part = { text: `#${name}`, href: ownPath(channelPath(slug, id)), isForReader: false };
    parts.set(folded(`#${name.replaceAll(/\s+/gu, '-')}`), part);
  }
  return parts;
}

function personPart(user: UserSummary, owner?: Id) {
  const { id, username } = user;
  const href = ownPath(webPath('user', { username }));
  return { text: `@${nameOfPerson(user)}`, href, title: `@${username}`, isForReader: id === owner };
}

function split(text: string, parts: ReadonlyMap<string, NamedPart>): readonly TextPart[] {
  const shown: TextPart[] = [];
  let end = 0;
  for (const { 0: word, index } of text.matchAll(WORD)) {
    const form = formsOf(word).find((each) => parts.has(folded(each)));
    const part = form === undefined ? undefined : parts.get(folded(form));
    if (form === undefined || part === undefined) continue;
    if (index > end) shown.push(text.slice(end, index));
    shown.push(part);
    end = index + form.length;
  }
  return end === 0 ? [text] : [...shown, text.slice(end)];
}

/** Returns what a word may mean, the longest first: a name may be followed by punctuation. */
function formsOf(word: string): readonly string[] {
  if (word.length > MOST_WORD_LENGTH) return [];
  const run = LEADING_RUN.exec(word)?.[0] ?? '';
  return [word, word.replace(TRAILING, ''), run, run.replace(TRAILING, '')].filter(
    (form) => form.length > 1,
  );
}

function folded(text: string): string {
  return text.normalize('NFKC').toLowerCase();
}
