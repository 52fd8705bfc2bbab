import type { Id } from '@hearth/protocol';
import type { Publication } from '../../../ports/bus/bus.ts';
import type { Emitted, EmittingTransaction } from '../../../ports/outbox/outbox.ts';
import { nextNumbers } from '../../platform/turns/turns.ts';

export interface ChannelNews {
  readonly channelId: Id;
  readonly publication: Publication;
}

/**
 * Publishes news of channels, in their order, and locks the channels until the transaction ends. They are numbered with the
 * messages of each channel, so that they come after those that were sent before.
 */
export async function emitInChannels(
  tx: EmittingTransaction,
  news: readonly ChannelNews[],
): Promise<void> {
  const byChannel = Map.groupBy(news, ({ channelId }) => channelId);
  const counts = new Map(Array.from(byChannel, ([id, own]) => [id, own.length]));
  const last = await nextNumbers(tx.sql, counts);
  const next = new Map(Array.from(last, ([id, number]) => [id, number - (counts.get(id) ?? 0)]));
  const emitted = news.map(({ channelId, publication }): Emitted => {
    const number = (next.get(channelId) ?? 0) + 1;
    next.set(channelId, number);
    return [publication, { subject: channelId, number }];
  });
  await tx.emitAll(emitted);
}
