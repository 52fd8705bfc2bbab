import { COMMENT_SORTS, POST_PERIODS, POST_SORTS } from '@hearth/protocol';
import type { Command, Flag, Group, Invocation, Parameter } from './command.ts';
import { openInputBlob } from './input-file.ts';
import { CODE_FLAG, URL_PARAMETER } from './instance-parameters.ts';
import { JSON_FLAG } from './listing.ts';
import { oneOf } from './one-of.ts';
import { UsageError } from './owner-error.ts';

// See client-commands.ts: the code of the commands is a separate bundle.
const loadClient = () => import('./chat/client.ts');

const GUEST_FLAG: Flag = { name: 'as-guest', about: 'Do not use your account' };

const POST_PARAMETER: Parameter = { name: 'post', about: 'The address of a post, or its id' };

const COMMENT_FLAG = { name: 'comment', value: 'id' } as const;

const LISTED_DEFAULT = 20;
const MOST_LISTED = 1_000;
const SHOWN_DEPTH = 4;

const postsCommand: Command = {
  kind: 'command',
  name: 'posts',
  about: 'List posts of an instance',
  parameters: [
    URL_PARAMETER,
    {
      name: 'community/channel',
      about: 'A channel with posts, or a community alone for all of its channels',
      isOptional: true,
    },
  ],
  flags: [
    { name: 'feed', about: 'List the posts of all your communities' },
    { name: 'sort', value: 'order', about: `${POST_SORTS.join(', ')} (default: hot)` },
    {
      name: 'since',
      value: 'period',
      about: `With --sort top or controversial: ${POST_PERIODS.join(', ')}`,
    },
    { name: 'limit', value: 'n', about: `Maximum number of posts (default: ${LISTED_DEFAULT})` },
    JSON_FLAG,
    GUEST_FLAG,
    CODE_FLAG,
  ],
  details: () => POSTS_DETAILS,
  async run({ args: [url = '', given], flags }, surroundings) {
    const place = given?.trim();
    const isFeed = flags.has('feed');
    if (isFeed === (place !== undefined)) {
      throw new UsageError(
        isFeed ? '--feed takes no channel' : 'missing <community/channel> or --feed',
      );
    }
    if (place === '')
      throw new UsageError('<community/channel> must be a place, such as garden/oaks');
    const query = {
      sort: oneOf('sort', flags, POST_SORTS),
      since: oneOf('since', flags, POST_PERIODS),
    };
    if (query.since !== undefined && query.sort !== 'top' && query.sort !== 'controversial') {
      throw new UsageError('--since needs --sort top or --sort controversial');
    }
    const limit = numberOf('limit', flags, { default: LISTED_DEFAULT, max: MOST_LISTED });
    const { listPosts } = await loadClient();
    return listPosts({ ...instanceOf(url, flags), place, query, limit, flags }, surroundings);
  },
};

const showCommand: Command = {
  kind: 'command',
  name: 'show',
  about: 'Print a post and its comments',
  parameters: [URL_PARAMETER, POST_PARAMETER],
  flags: [
    { name: 'sort', value: 'order', about: `${COMMENT_SORTS.join(', ')} (default: top)` },
    { name: 'depth', value: 'n', about: `How many levels of comments (default: ${SHOWN_DEPTH})` },
    { name: 'under', value: 'id', about: 'Only the replies to this comment' },
    { name: 'json', about: 'Print the post and its comments as JSON' },
    GUEST_FLAG,
    CODE_FLAG,
  ],
  details: () => SHOW_DETAILS,
  async run({ args: [url = '', post = ''], flags }, surroundings) {
    const sort = oneOf('sort', flags, COMMENT_SORTS);
    const depth = numberOf('depth', flags, { default: SHOWN_DEPTH, max: 50 });
    const { showPost } = await loadClient();
    const asJson = flags.has('json');
    const under = flags.get('under');
    return showPost({ ...instanceOf(url, flags), post, sort, depth, under, asJson }, surroundings);
  },
};

const createCommand: Command = {
  kind: 'command',
  name: 'create',
  about: 'Post to a channel',
  parameters: [
    URL_PARAMETER,
    { name: 'community/channel', about: 'A channel with posts' },
    { name: 'title', about: 'The title' },
  ],
  flags: [
    { name: 'text', value: 'text', about: 'The text, in Markdown; - reads it from standard input' },
    { name: 'url', value: 'address', about: 'The address of a page that the post is about' },
    { name: 'file', value: 'path', about: 'File to upload and attach' },
    { name: 'tag', value: 'names', about: 'Tags of the channel, with commas between them' },
    { name: 'json', about: 'Print the post as JSON, in place of its id' },
    CODE_FLAG,
  ],
  async run({ args: [url = '', place = '', title = ''], flags }, surroundings) {
    const { createPost } = await loadClient();
    const content = { text: flags.get('text'), link: flags.get('url'), file: flags.get('file') };
    const tags = (flags.get('tag') ?? '').split(',').map((name) => name.trim());
    const request = {
      ...instanceOf(url, flags),
      place: place.trim(),
      title,
      ...content,
      tags: tags.filter((name) => name !== ''),
      asJson: flags.has('json'),
      openFile: (path: string) => openInputBlob(path, surroundings.workingDir),
    };
    return createPost(request, surroundings);
  },
};

const commentCommand: Command = {
  kind: 'command',
  name: 'comment',
  about: 'Comment on a post',
  parameters: [
    URL_PARAMETER,
    POST_PARAMETER,
    { name: 'text', about: 'The comment; - reads it from standard input' },
  ],
  flags: [
    { ...COMMENT_FLAG, about: 'The comment to reply to' },
    { name: 'json', about: 'Print the comment as JSON, in place of its id' },
    CODE_FLAG,
  ],
  async run({ args: [url = '', post = '', text = ''], flags }, surroundings) {
    const { commentOnPost } = await loadClient();
    const comment = flags.get(COMMENT_FLAG.name);
    const asJson = flags.has('json');
    return commentOnPost({ ...instanceOf(url, flags), post, text, comment, asJson }, surroundings);
  },
};

const VOTES = { up: 1, none: 0, down: -1 } as const;

const voteCommand: Command = {
  kind: 'command',
  name: 'vote',
  about: 'Vote for a post or a comment, or take the vote back',
  parameters: [URL_PARAMETER, POST_PARAMETER, { name: 'vote', about: 'up, down or none' }],
  flags: [
    { ...COMMENT_FLAG, about: 'Vote for this comment on the post' },
    { name: 'json', about: 'Print the totals as JSON' },
    CODE_FLAG,
  ],
  async run({ args: [url = '', post = '', vote = ''], flags }, surroundings) {
    const value = Object.entries(VOTES).find(([name]) => name === vote)?.[1];
    if (value === undefined) throw new UsageError(`<vote> must be up, down or none, not "${vote}"`);
    const { votePost } = await loadClient();
    const comment = flags.get(COMMENT_FLAG.name);
    const asJson = flags.has('json');
    return votePost({ ...instanceOf(url, flags), post, value, comment, asJson }, surroundings);
  },
};

/** Commands about posts, for anybody, on any instance that can be reached. */
export const POST_COMMANDS: readonly (Command | Group)[] = [
  postsCommand,
  {
    kind: 'group',
    name: 'post',
    about: 'Read, write and vote for one post',
    commands: [showCommand, createCommand, commentCommand, voteCommand],
  },
];

const POSTS_DETAILS = `For example, the best posts of a week:
  hearth posts <instance url> garden --sort top --since week
hearth post show prints one of them, by its id.`;

const SHOW_DETAILS = `Comments are printed as a tree: each reply below what it replies to, and further right. Replies that are deeper than --depth
are counted, with the command that prints them:
  hearth post show <instance url> <post> --under <comment id>`;

function instanceOf(url: string, flags: Invocation['flags']) {
  return { url, accessCode: flags.get(CODE_FLAG.name), asGuest: flags.has(GUEST_FLAG.name) };
}

function numberOf(
  flag: string,
  flags: Invocation['flags'],
  range: { readonly default: number; readonly max: number },
): number {
  const given = flags.get(flag) ?? String(range.default);
  const number = /^\d+$/.test(given) ? Number(given) : 0;
  if (number >= 1 && number <= range.max) return number;
  throw new UsageError(`--${flag} must be a whole number from 1 to ${range.max}, not "${given}"`);
}
