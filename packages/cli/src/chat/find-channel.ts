import { HearthError, parseId, type Client, type MyChannel, type MyCommunity } from '@hearth/sdk';
import { inLine } from '../text.ts';

/** A channel, and the community that it is in. */
export interface ChannelPlace {
  readonly community: MyCommunity;
  readonly channel: MyChannel;
}

/** A place that somebody named, and that is none of theirs. */
export class UnknownPlaceError extends HearthError {}

/** The channels of the communities of the person who is signed in that have messages, in their order. */
export function channelPlaces(communities: readonly MyCommunity[]): readonly ChannelPlace[] {
  return communities.flatMap((community) =>
    community.channels.filter(hasMessages).map((channel) => ({ community, channel })),
  );
}

/** A place as it is typed: `garden/trees`. */
export function placeName({ community, channel }: ChannelPlace): string {
  return inLine(`${community.slug}/${channel.name}`);
}

/**
 * The channel that somebody means: `community/channel` by its names, whose case does not matter, with or without `#`; the id
 * of a channel; or a community alone, which stands for its first channel. Throws UnknownPlaceError.
 */
export function findChannel(communities: readonly MyCommunity[], given: string): ChannelPlace {
  const all = channelPlaces(communities);
  const id = parseId(given);
  const byId = id === undefined ? undefined : all.find(({ channel }) => channel.id === id);
  if (byId !== undefined) return byId;
  const slash = given.indexOf('/');
  const slug = folded(slash === -1 ? given : given.slice(0, slash));
  const own = communities.find((community) => folded(community.slug) === slug);
  if (own === undefined) {
    throw unknown(`"${given}" is none of your communities or their channels`);
  }
  const channels = all.filter(({ community }) => community === own);
  const name = slash === -1 ? '' : folded(given.slice(slash + 1).replace(/^#/, ''));
  const named = name === '' ? channels.slice(0, 1) : channels.filter(isNamed(name));
  const [place, other] = named;
  if (place === undefined) throw unknown(`${own.slug} has no channel "${given.slice(slash + 1)}"`);
  if (other === undefined) return place;
  const ids = named.map(({ channel }) => channel.id).join(', ');
  throw unknown(`${own.slug} has several channels of that name, use the id of one: ${ids}`);
}

/** The same, as the instance has it now. */
export async function readChannel(client: Client, given: string): Promise<ChannelPlace> {
  return findChannel(await client.communities.read(), given);
}

function isNamed(name: string): (place: ChannelPlace) => boolean {
  return ({ channel }) => folded(channel.name) === name;
}

function hasMessages({ kind }: MyChannel): boolean {
  return kind === 'messages' || kind === 'announcements';
}

function unknown(reason: string): UnknownPlaceError {
  return new UnknownPlaceError(inLine(reason));
}

function folded(text: string): string {
  return text.normalize('NFKC').toLowerCase();
}
