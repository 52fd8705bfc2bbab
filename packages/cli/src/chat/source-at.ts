import type { Client } from '@hearth/sdk';
import { channelSource } from './channel-source.ts';
import { findChannel } from './find-channel.ts';
import { lobbySource, type MessageSource } from './message-source.ts';
import type { Account } from './with-client.ts';

/** The channel that somebody names, or the lobby. Throws UnknownPlaceError. */
export async function sourceAt(
  client: Client,
  place: string | undefined,
  account: Account | undefined,
): Promise<MessageSource> {
  if (place === undefined) return lobbySource(client);
  return channelSource(client, await findChannel(client, place, account));
}
