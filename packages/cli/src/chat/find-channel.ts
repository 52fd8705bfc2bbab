import { foldText } from '@hearth/protocol';
import {
  HearthError,
  NotFoundError,
  parseId,
  ValidationError,
  type Client,
  type Id,
  type MyChannel,
  type MyCommunity,
} from '@hearth/sdk';
import { inLine } from '../text.ts';
import type { Account } from './with-client.ts';

/** Matches what may be the name of a community in an address. */
const PART_OF_ADDRESS = /^[\p{L}\p{N}_-]+$/u;

/** The facts that have to be known of a channel. */
type PlacedChannel = Pick<MyChannel, 'id' | 'name' | 'kind'>;

/** A community, and those of its channels that the user sees. */
export interface PlacedCommunity extends Pick<MyCommunity, 'id' | 'slug'> {
  readonly channels: readonly PlacedChannel[];
}

/** A channel, and the community that it is in. */
export interface ChannelPlace {
  readonly community: Pick<PlacedCommunity, 'id' | 'slug'>;
  readonly channel: PlacedChannel;
}

/** A community, or one of its channels. */
export interface SearchedPlace {
  readonly community: PlacedCommunity;
  readonly channel: PlacedChannel | undefined;
}

/** A place that somebody named, and that they cannot see. */
export class UnknownPlaceError extends HearthError {}

/** The channels of communities that have messages, in their order. */
export function channelPlaces(communities: readonly PlacedCommunity[]): readonly ChannelPlace[] {
  return placesOf(communities, hasMessages);
}

/** All channels of communities, in their order. */
export function everyPlace(communities: readonly PlacedCommunity[]): readonly ChannelPlace[] {
  return placesOf(communities, () => true);
}

function placesOf(
  communities: readonly PlacedCommunity[],
  isMeant: (channel: PlacedChannel) => boolean,
): readonly ChannelPlace[] {
  return communities.flatMap((community) =>
    community.channels.filter(isMeant).map((channel) => ({ community, channel })),
  );
}

/** A place as it is typed: `garden/trees`. */
export function placeName({ community, channel }: ChannelPlace): string {
  return inLine(`${community.slug}/${channel.name}`);
}

/**
 * The channel that somebody means: `community/channel` by its names, whose case does not matter, with or without `#`; the id
 * of a channel; or a community alone, which stands for its first channel. It is one of their communities, or a public one.
 * Throws UnknownPlaceError.
 */
export async function findChannel(
  client: Client,
  given: string,
  account: Account | undefined,
): Promise<ChannelPlace> {
  return channelIn(await findCommunity(client, given, account), given);
}

/** Finds what somebody means to search: a channel, or a community without one. */
export async function findSearched(
  client: Client,
  given: string,
  account: Account | undefined,
): Promise<SearchedPlace> {
  return partOf(await findCommunity(client, given, account), given, hasMessages);
}

/** A community whose posts somebody means, or one of its channels with posts. A community alone is all of them. */
export async function findPosts(
  client: Client,
  given: string,
  account: Account | undefined,
): Promise<SearchedPlace> {
  return partOf(await findCommunity(client, given, account), given, hasPosts);
}

/** A community, or one of its channels of any kind. A community alone is all of them. */
export async function findAnything(
  client: Client,
  given: string,
  account: Account | undefined,
): Promise<SearchedPlace> {
  return partOf(await findCommunity(client, given, account), given, () => true);
}

function partOf(
  community: PlacedCommunity,
  given: string,
  isMeant: (channel: PlacedChannel) => boolean,
): SearchedPlace {
  const isAll = folded(given) === folded(community.slug);
  return { community, channel: isAll ? undefined : channelIn(community, given, isMeant).channel };
}

/** The channel with posts that somebody means. A community alone stands for its first one. */
export async function findPostChannel(
  client: Client,
  given: string,
  account: Account | undefined,
): Promise<ChannelPlace> {
  return channelIn(await findCommunity(client, given, account), given, hasPosts);
}

async function findCommunity(
  client: Client,
  given: string,
  account: Account | undefined,
): Promise<PlacedCommunity> {
  if (account !== undefined && !client.communities.isLoaded) await client.communities.read();
  const own = client.communities.all();
  const id = parseId(given);
  const slug = folded(given.split('/', 1)[0] ?? '');
  const found =
    own.find(({ channels }) => channels.some((channel) => channel.id === id)) ??
    own.find((community) => folded(community.slug) === slug) ??
    (await findPublic(client, { id, slug }));
  if (found !== undefined) return found;
  throw unknown(
    account === undefined
      ? `"${given}" is no public community: use hearth login to see your own`
      : `"${given}" is neither one of your communities nor a public one`,
  );
}

/** A community that the user is not a member of, if they may see it. */
async function findPublic(
  { communities }: Client,
  { id, slug }: { readonly id: Id | undefined; readonly slug: string },
): Promise<PlacedCommunity | undefined> {
  const ofChannel = id && (await ifFound(communities.channels.find(id)));
  const community = await ifFound(
    ofChannel !== undefined
      ? communities.find(ofChannel.community_id)
      : PART_OF_ADDRESS.test(slug)
        ? communities.bySlug(slug)
        : undefined,
  );
  const channels = community && (await ifFound(communities.channels.list(community.id)));
  return community && channels && { ...community, channels };
}

async function ifFound<Value>(reading: Promise<Value> | undefined): Promise<Value | undefined> {
  try {
    return await reading;
  } catch (error) {
    if (error instanceof NotFoundError || error instanceof ValidationError) return undefined;
    throw error;
  }
}

function channelIn(
  community: PlacedCommunity,
  given: string,
  isMeant: (channel: PlacedChannel) => boolean = hasMessages,
): ChannelPlace {
  const all = placesOf([community], isMeant);
  const byId = all.find(({ channel }) => channel.id === given);
  if (byId !== undefined) return byId;
  const slash = given.indexOf('/');
  const name = slash === -1 ? '' : folded(given.slice(slash + 1).replace(/^#/, ''));
  const named = name === '' ? all.slice(0, 1) : channelsNamed(all, name);
  const [place, other] = named;
  if (place === undefined) {
    const { slug } = community;
    throw unknown(
      name === ''
        ? `${slug} has no channel ${isMeant === hasPosts ? 'with posts ' : ''}that you can read`
        : `${slug} has no channel ${isMeant === hasPosts ? 'with posts ' : ''}"${given.slice(slash + 1)}"`,
    );
  }
  if (other === undefined) return place;
  const ids = named.map(({ channel }) => channel.id).join(', ');
  throw unknown(`${community.slug} has several channels of that name, use the id of one: ${ids}`);
}

/** The channels of a name, or else those that a search would find by it as a whole. */
function channelsNamed(all: readonly ChannelPlace[], name: string): readonly ChannelPlace[] {
  const exact = all.filter(({ channel }) => folded(channel.name) === name);
  const wanted = foldText(name);
  return exact.length > 0 ? exact : all.filter(({ channel }) => foldText(channel.name) === wanted);
}

function hasMessages({ kind }: PlacedChannel): boolean {
  return kind === 'messages' || kind === 'announcements';
}

function hasPosts({ kind }: PlacedChannel): boolean {
  return kind === 'posts';
}

function unknown(reason: string): UnknownPlaceError {
  return new UnknownPlaceError(inLine(reason));
}

function folded(text: string): string {
  return text.normalize('NFKC').toLowerCase();
}
