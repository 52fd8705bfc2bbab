import { channelStream, communityStream, type StreamEvent } from '@hearth/protocol';
import type { EmittingTransaction } from '../../ports/outbox/outbox.ts';
import { describeChannel } from './describe-channel.ts';
import type { StoredChannel } from './store.ts';

/** A channel, and whether not everybody in its community sees it. */
export type ShownChannel = StoredChannel & { readonly isRestricted: boolean };

/** The stream with the events of a channel. */
export function streamOf({ id, communityId, isRestricted }: ShownChannel): string {
  return isRestricted ? channelStream(id) : communityStream(communityId);
}

/** Sends those who see a channel that it was added or has changed. */
export async function announceChannel(
  tx: EmittingTransaction,
  channel: ShownChannel,
): Promise<void> {
  const d = describeChannel(channel);
  await emitOf(tx, channel, { op: d.version === 1 ? 'CHANNEL_CREATE' : 'CHANNEL_UPDATE', d });
}

/** Sends those who see a channel that it was removed. */
export async function announceChannelEnd(
  tx: EmittingTransaction,
  channel: ShownChannel,
): Promise<void> {
  const d = { id: channel.id, community_id: channel.communityId };
  await emitOf(tx, channel, { op: 'CHANNEL_DELETE', d });
}

// The subject is the community, whose row is locked by every change of its channels.
async function emitOf(
  tx: EmittingTransaction,
  channel: ShownChannel,
  event: StreamEvent,
): Promise<void> {
  const subject = communityStream(channel.communityId);
  await tx.emit({ stream: streamOf(channel), event }, { subject });
}
