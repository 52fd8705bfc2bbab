import type { FoundAnywhere, SearchedKinds, SearchFacets } from '@hearth/protocol';
import type { Client, WholeSearch } from '@hearth/sdk';
import type { Surroundings } from '../command.ts';
import { alignColumns, inLine } from '../text.ts';
import { shownIn, textAddresses } from './channel-source.ts';
import { everyPlace, findAnything, placeName } from './find-channel.ts';
import { LineWriter } from './line-writer.ts';
import { lineFormatter } from './message-lines.ts';
import { newestFound } from './newest-found.ts';
import { jsonLine } from './post-text.ts';
import type { SearchRequest } from './search.ts';
import { withClient, type Account } from './with-client.ts';

/** The arguments of `hearth search` for all kinds, or for counts. */
export interface WholeSearchRequest extends SearchRequest {
  readonly kind?: SearchedKinds | undefined;
}

/** Prints the messages, posts and comments that a search finds. Resolves with the exit code. */
export function searchAll(
  { kind, query, limit, asJson, place, ...instance }: WholeSearchRequest,
  { warn, env, streams }: Surroundings,
): Promise<number> {
  return withClient(instance, { warn, env }, async (client, account) => {
    const search = { ...query, kind, ...(await whereOf(client, place, account)) };
    const found = await newestFound(
      (page) => client.posts.searchAll({ ...search, ...page }),
      limit,
    );
    const lineOf = asJson ? jsonLine : formatterFor(client, streams.stdout.isTTY);
    const output = new LineWriter(streams.stdout);
    output.write(found.map((entry) => lineOf(entry)).join(''));
    return output.finish(warn);
  });
}

/** Prints how much a search finds, by kind, place and author. Resolves with the exit code. */
export function countFound(
  { kind, query, asJson, place, ...instance }: Omit<WholeSearchRequest, 'limit'>,
  { warn, env, streams }: Surroundings,
): Promise<number> {
  return withClient(instance, { warn, env }, async (client, account) => {
    const where = await whereOf(client, place, account);
    const counts = await client.posts.countFound({ ...query, kind, ...where });
    const output = new LineWriter(streams.stdout);
    output.write(asJson ? jsonLine(counts) : countsText(counts, namesOf(client)));
    return output.finish(warn);
  });
}

/** The parameters for a place as it is typed: `all`, a channel or a community; the lobby without one. */
async function whereOf(
  client: Client,
  place: string | undefined,
  account: Account | undefined,
): Promise<Pick<WholeSearch, 'in' | 'community'>> {
  if (place === undefined) return { in: 'lobby' };
  if (place === 'all') {
    // Their names are printed.
    if (account !== undefined && !client.communities.isLoaded) await client.communities.read();
    return { in: 'all' };
  }
  const { community, channel } = await findAnything(client, place, account);
  return channel === undefined ? { community: community.id } : { in: channel.id };
}

/** The names of the channels in one's communities, by their ids. */
function namesOf(client: Client): ReadonlyMap<string, string> {
  const places = everyPlace(client.communities.all());
  return new Map(places.map((place) => [place.channel.id, placeName(place)]));
}

function formatterFor(client: Client, isTerminal: boolean): (entry: FoundAnywhere) => string {
  const messageOf = lineFormatter(client, { isTerminal, asJson: false });
  const addresses = textAddresses(client);
  const names = namesOf(client);
  const nameOf = (channel: string) => names.get(channel) ?? channel;
  return (entry) => {
    if (entry.kind === 'messages') {
      const { message } = entry;
      if (!('channel_id' in message)) return messageOf(message, message.created_at);
      const shown = shownIn(message, addresses);
      return messageOf(shown, message.created_at, nameOf(message.channel_id));
    }
    const found = entry.kind === 'posts' ? entry.post : entry.comment;
    const { user, channel_id: channel, created_at: createdAt } = found;
    const author = user === undefined ? {} : { user };
    const line = { author: user?.username ?? '', ...author, content: contentOf(entry) };
    return messageOf(line, createdAt, nameOf(channel));
  };
}

/** The text of a post or comment, and what it is. */
function contentOf(entry: Exclude<FoundAnywhere, { readonly kind: 'messages' }>): string {
  if (entry.kind === 'posts') return `${entry.post.title} (post ${entry.id})`;
  const { content = '', post_id: postId, post } = entry.comment;
  const on = post === undefined ? '' : `“${post.title}”, `;
  return `${content} (comment ${entry.id} on ${on}post ${postId})`;
}

/** The total, and a table for each list. */
function countsText(
  { total, more, kinds, places, authors }: SearchFacets,
  names: ReadonlyMap<string, string>,
): string {
  const found = `${total.toLocaleString('en')}${more ? '+' : ''}`;
  const groups = [
    kinds.map(({ kind, count }) => [String(count), kind]),
    places.map(({ place, name, count }) => [
      String(count),
      names.get(place) ?? inLine(name ?? place),
    ]),
    authors.map(({ author, user_id: id, count }) => [
      String(count),
      `${id === undefined ? '' : '@'}${inLine(author)}`,
    ]),
  ].filter((rows) => rows.length > 0);
  return `${[`${found} found`, ...groups.map((rows) => alignColumns(rows).join('\n'))].join('\n\n')}\n`;
}
