import { channelStream, communityStream, type Id } from '@hearth/protocol';
import type { StreamName } from '../../../ports/bus/bus.ts';

/** The stream that carries a channel: its own if it is restricted, otherwise that of its community. */
export function streamOf(channel: {
  readonly id: Id;
  readonly communityId: Id;
  readonly isRestricted: boolean;
}): StreamName {
  return channel.isRestricted ? channelStream(channel.id) : communityStream(channel.communityId);
}
