import type { ChannelMessage } from '@hearth/protocol';
import type { ChannelClient } from '@hearth/sdk';
import { PagedList } from '../communities/paged-list.ts';

/** The pinned messages of a channel, the one that was pinned last first. */
export function pinList(channel: Pick<ChannelClient, 'pins'>): PagedList<ChannelMessage> {
  return new PagedList(async () => ({ entries: await channel.pins(), next: undefined }));
}

/** Loads the list, and again whenever the pins change, until the returned function is called. */
export function followPins(
  channel: Pick<ChannelClient, 'on'>,
  list: Pick<PagedList<ChannelMessage>, 'load'>,
): () => void {
  const load = () => void list.load();
  load();
  const offs = [channel.on('pin', load), channel.on('messageDelete', load)];
  return () => {
    for (const off of offs) off();
  };
}
