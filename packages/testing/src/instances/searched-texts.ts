import { formatId, type Id } from '@hearth/protocol';
import { noteNew } from '../../../server/src/features/talk/index-queue/index-queue.ts';
import { insertStatement } from '../../../server/src/features/talk/lobby/store.ts';
import type {
  Database,
  ManyStatement,
  Transaction,
  Writer,
} from '../../../server/src/ports/database/database.ts';
import { addUsers } from './many-users.ts';
import { NEW_CHANNEL_ROW, NEW_TURN_ROW } from './new-channel-row.ts';
import { addSeededMembers, seedCommunities } from './seeded-communities.ts';
import { longerText, randomNumbers } from './searched-words.ts';

/** Texts to write. */
interface SearchedTexts {
  readonly communities: number;
  readonly texts: number;
  /** The number of texts that were written before. */
  readonly before?: number;
  /** True if each is noted for the index, as if it had just been posted. */
  readonly areNoted?: boolean;
}

/** Communities, and the token of a member of all. */
export interface WrittenPlaces {
  readonly token: string;
  readonly communities: readonly Id[];
  /** A channel with messages of each. */
  readonly channels: readonly Id[];
  /** A channel of each, with every hundredth text of it. */
  readonly smallChannels: readonly Id[];
}

/** The first of twenty texts of a place is a message of the lobby, the next a post, and then come comments on it and messages. */
const TURNS = 20;
const POST_TURN = 1;
const FIRST_MESSAGE_TURN = 8;
const SMALL_PART = 100;

const AT_ONCE = 4_096;
const NOW_MS = 1_795_000_000_000;
const SECOND_MS = 1_000;

const idOf = (seconds: number, sequence: number) => formatId({ seconds, instanceId: 1, sequence });
const textAt = (number: number) => idOf(1_000_000 + number, 0);
const ownerOf = (community: number) => idOf(1, community);
const forumOf = (community: number) => idOf(6, community);
const smallChannelOf = (community: number) => idOf(7, community);

const MESSAGES = {
  text: `insert into channel_messages (channel_id, id, user_id, content, created_at_ms, edited_at_ms, reply_to, mentions, files,
    reactions, pinned, version)
    select channel_id, id, user_id, content, created_at_ms, 0, '', '', '', '', 0, 1 from given`,
  columns: {
    ...{ channel_id: 'text', id: 'text', user_id: 'text', content: 'text' },
    created_at_ms: 'bigint',
  },
} as const satisfies Omit<ManyStatement, 'rows'>;

const POSTS = {
  text: `insert into posts (id, channel_id, community_id, user_id, title, content, url, tags, mentions, files, created_at_ms,
    edited_at_ms, pinned, locked, spoiler, sensitive, from_channel_id, from_message_id, crosspost_of, accepted_comment_id,
    upvotes, downvotes, score, hot, active, controversial, comment_count, comment_number, last_comment_at_ms, version)
    select id, channel_id, community_id, user_id, 'Post', content, '', '', '', '', created_at_ms, 0, 0, 0, 0, 0, '', '', '', '',
      0, 0, 0, 0, 0, 0, 0, 0, 0, 1 from given`,
  columns: {
    ...{ id: 'text', channel_id: 'text', community_id: 'text', user_id: 'text', content: 'text' },
    created_at_ms: 'bigint',
  },
} as const satisfies Omit<ManyStatement, 'rows'>;

const COMMENTS = {
  text: `insert into comments (id, post_id, channel_id, community_id, user_id, number, path, parent_id, depth, content, mentions,
    created_at_ms, edited_at_ms, deleted_at_ms, upvotes, downvotes, score, controversial, reply_count, version)
    select id, post_id, channel_id, community_id, user_id, number, path, '', 0, content, '', created_at_ms, 0, 0, 0, 0, 0, 0, 0, 1
    from given`,
  columns: {
    ...{ id: 'text', post_id: 'text', channel_id: 'text', community_id: 'text', user_id: 'text' },
    ...{ number: 'bigint', path: 'text', content: 'text', created_at_ms: 'bigint' },
  },
} as const satisfies Omit<ManyStatement, 'rows'>;

/** Writes communities with a channel of each kind and a small one, and somebody who is a member of all. */
export async function writePlaces(database: Database, communities: number): Promise<WrittenPlaces> {
  const [token = ''] = await addUsers(database, communities);
  const all = await seedCommunities(database, { communities, members: 1, messages: 0 });
  for (const community of all.slice(1)) await addSeededMembers(database, community, [0]);
  await database.transaction(async ({ sql: db }) => {
    for (const [at, { id }] of all.entries()) {
      await insertChannel(db, { id: forumOf(at), community_id: id, kind: 'posts' });
      await insertChannel(db, { id: smallChannelOf(at), community_id: id, kind: 'messages' });
    }
  });
  return {
    token,
    communities: all.map(({ id }) => id),
    channels: all.map(({ channel }) => channel),
    smallChannels: all.map((_, at) => smallChannelOf(at)),
  };
}

async function insertChannel(
  db: Writer,
  channel: {
    readonly id: Id;
    readonly community_id: Id;
    readonly kind: 'posts' | 'messages';
  },
): Promise<void> {
  await db
    .insertInto('channels')
    .values({ ...NEW_CHANNEL_ROW, ...channel, name: `small-${channel.kind}`, position: 1 })
    .execute();
  await db
    .insertInto('turns')
    .values({ ...NEW_TURN_ROW, id: channel.id })
    .execute();
}

/** Writes texts to the lobby and to the communities of {@link writePlaces}, in turn. */
export async function writeTexts(
  database: Database,
  { communities, texts, before = 0, areNoted = false }: SearchedTexts,
): Promise<void> {
  const random = randomNumbers();
  for (let first = 0; first < texts; first += AT_ONCE) {
    const length = Math.min(AT_ONCE, texts - first);
    const written = Array.from({ length }, (_, at): Text => {
      const number = before + first + at;
      const [community, turn] = [number % communities, Math.floor(number / communities)];
      return { number, community, turn, content: longerText(random) };
    });
    await database.transaction((tx) => insertTexts(tx, { communities, written, areNoted }));
  }
}

/** A text of a community, or of the lobby. */
interface Text {
  readonly number: number;
  readonly community: number;
  /** The number of texts of the community before it. */
  readonly turn: number;
  readonly content: string;
}

async function insertTexts(
  tx: Transaction,
  {
    communities,
    written,
    areNoted,
  }: {
    readonly communities: number;
    readonly written: readonly Text[];
    readonly areNoted: boolean;
  },
): Promise<void> {
  const { lobby = [], posts = [], comments = [], messages = [] } = Object.groupBy(written, kindOf);
  const lobbyMessages = lobby.map(({ number, turn, community, content }) => ({
    number: Math.floor(turn / TURNS) * communities + community + 1,
    message: { id: textAt(number), author: `user${community}`, content, created_at: Date.now() },
  }));
  if (lobby.length > 0) await tx.run(insertStatement(lobbyMessages).statement);
  const rowOf = ({ number, community, content }: Text) => {
    const [id, home, user] = [textAt(number), idOf(3, community), ownerOf(community)];
    return { id, home, user, forum: forumOf(community), content, at: timeOf(number) };
  };
  await tx.runMany({
    ...MESSAGES,
    rows: messages.map((text) => {
      const { id, user, content, at } = rowOf(text);
      const isSmall = text.turn % SMALL_PART === SMALL_PART - 1;
      const channel = isSmall ? smallChannelOf(text.community) : idOf(4, text.community);
      return [channel, id, user, content, at];
    }),
  });
  await tx.runMany({
    ...POSTS,
    rows: posts.map((text) => {
      const { id, forum, home, user, content, at } = rowOf(text);
      return [id, forum, home, user, content, at];
    }),
  });
  await tx.runMany({
    ...COMMENTS,
    rows: comments.map((text) => {
      const { id, forum, home, user, content, at } = rowOf(text);
      const number = (text.turn % TURNS) - POST_TURN;
      const post = textAt(text.number - number * communities);
      return [id, post, forum, home, user, number, `00000${number}`, content, at];
    }),
  });
  if (!areNoted) return;
  for (const [kind, some] of Object.entries({ posts, comments, messages })) {
    const ids = some.map(({ number }) => textAt(number));
    // Guarantee: these are the names of kinds.
    await noteNew(tx, kind as 'posts' | 'comments' | 'messages', ids);
  }
}

function kindOf({ turn }: Text): 'lobby' | 'posts' | 'comments' | 'messages' {
  const at = turn % TURNS;
  if (at === 0) return 'lobby';
  if (at === POST_TURN) return 'posts';
  return at < FIRST_MESSAGE_TURN ? 'comments' : 'messages';
}

function timeOf(number: number): number {
  return NOW_MS + number * SECOND_MS;
}
