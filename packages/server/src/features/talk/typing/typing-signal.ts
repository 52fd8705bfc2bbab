import type { WatchedSignal } from '../watching/watching.ts';
import { TYPING, type ChannelSignal } from './show-typing.ts';

/** Shows that somebody writes to the others who watch the channel. */
export const typingSignal: WatchedSignal<object> = {
  kind: TYPING,
  open: (_, { watchers, send }) => ({
    hear(d) {
      // Guarantee: the verb sends nothing else under this name.
      const { channel_id: id, stream, event } = d as ChannelSignal;
      send(watchers.channels.of(id), { stream, event, except: event.d.user.id });
    },
  }),
};
