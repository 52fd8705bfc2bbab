import { bans } from './bans.ts';
import { channelMessages } from './channel-messages.ts';
import { channels } from './channels.ts';
import { comments } from './comments.ts';
import { communities } from './communities.ts';
import { files } from './files.ts';
import { gateway } from './gateway.ts';
import { instance } from './instance.ts';
import { invites } from './invites.ts';
import { joinRequests } from './join-requests.ts';
import { lobby } from './lobby.ts';
import { members } from './members.ts';
import type { NounDescription } from './noun.ts';
import { points } from './points.ts';
import { posts } from './posts.ts';
import { reading } from './reading.ts';
import { roles } from './roles.ts';
import { sessions } from './sessions.ts';
import { users } from './users.ts';
import { votes } from './votes.ts';

/** Every page of the reference, by the name of its file. */
export const NOUNS = {
  instance,
  gateway,
  users,
  sessions,
  lobby,
  communities,
  members,
  roles,
  channels,
  'channel-messages': channelMessages,
  reading,
  posts,
  comments,
  votes,
  points,
  invites,
  'join-requests': joinRequests,
  bans,
  files,
} satisfies Readonly<Record<string, NounDescription>>;

/** The name of a page of the reference. */
export type NounName = keyof typeof NOUNS;

/** The names of all pages, in their order. */
export const NOUN_NAMES = Object.keys(NOUNS).filter(isNounName);

/** The page of the routes with a tag. */
export function nounOfTag(tag: string): NounName | undefined {
  return NOUN_NAMES.find((name) => NOUNS[name].tags.includes(tag));
}

function isNounName(name: string): name is NounName {
  return Object.hasOwn(NOUNS, name);
}
