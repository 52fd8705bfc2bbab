import type { ChannelMessage, Client, LobbyMessage, SearchPage, SearchQuery } from '@hearth/sdk';
import type { Surroundings } from '../command.ts';
import { shownIn, textAddresses } from './channel-source.ts';
import { findSearched } from './find-channel.ts';
import { LineWriter } from './line-writer.ts';
import { lineFormatter } from './message-lines.ts';
import { newestFound } from './newest-found.ts';
import type { ShownMessage } from './message-source.ts';
import { withClient, type Account, type InstanceRequest } from './with-client.ts';

/** The arguments of `hearth search`. */
export interface SearchRequest extends InstanceRequest {
  readonly query: Pick<SearchQuery, 'text' | 'from' | 'has'>;
  readonly limit: number;
  readonly asJson: boolean;
  /** The channel or community to search; undefined for the lobby. */
  readonly place?: string | undefined;
}

type Found = LobbyMessage & ShownMessage;
type Query = Omit<SearchQuery, 'in'>;

/** A place that is searched. */
interface Searched {
  readonly page: (query: Query) => Promise<SearchPage<Found>>;
  /** The name of the channel of a message, if there are several. */
  readonly nameOf?: (message: Found) => string | undefined;
}

/** Prints the messages that a search finds. Resolves with the exit code. */
export function search(
  { query, limit, asJson, place, ...instance }: SearchRequest,
  { warn, env, streams }: Surroundings,
): Promise<number> {
  return withClient(instance, { warn, env }, async (client, account) => {
    const searched = await searchedIn(client, place, account);
    const output = new LineWriter(streams.stdout);
    const lineOf = lineFormatter(client, { isTerminal: streams.stdout.isTTY, asJson });
    const found = await newestFound(async (range) => {
      const { messages, next } = await searched.page({ ...query, ...range });
      return { entries: messages, next };
    }, limit);
    const lines = found.map((message) =>
      lineOf(message, message.created_at, searched.nameOf?.(message)),
    );
    output.write(lines.join(''));
    return output.finish(warn);
  });
}

async function searchedIn(
  client: Client,
  place: string | undefined,
  account: Account | undefined,
): Promise<Searched> {
  if (place === undefined) return { page: (query) => client.search(query) };
  const { community, channel } = await findSearched(client, place, account);
  const addresses = textAddresses(client);
  const shown = ({ messages, next }: SearchPage<ChannelMessage>): SearchPage<Found> => ({
    messages: messages.map((message) => shownIn(message, addresses)),
    next,
  });
  if (channel !== undefined) {
    return { page: async (query) => shown(await client.channel(channel.id).search(query)) };
  }
  const names = new Map(community.channels.map(({ id, name }) => [id, name]));
  const channelOf = new Map<Found, string | undefined>();
  return {
    async page(query) {
      const page = await client.communities.searchMessages(community.id, query);
      const { messages, next } = shown(page);
      for (const [index, message] of messages.entries()) {
        const { channel_id: id } = page.messages[index] ?? {};
        channelOf.set(message, id && names.get(id));
      }
      return { messages, next };
    },
    nameOf: (message) => channelOf.get(message),
  };
}
