import { computed, effect } from '@preact/signals';
import type { MessageStore } from './message-store.ts';
import type { Outbox } from '../../writing/outbox/outbox.ts';

/**
 * Settles messages that were on their way when a page was left, or when the connection broke, and that the history has by
 * now. Those of its first page come in no event, and would be posted again.
 */
export function settleByHistory(
  messages: Pick<MessageStore, 'entries' | 'older'>,
  outbox: Pick<Outbox, 'pending' | 'settle'>,
): () => void {
  const doubtful = computed(() =>
    outbox.pending.value
      .filter(({ delivery }) =>
        delivery.state === 'failed' ? delivery.mayHaveBeenSent : delivery.state === 'waiting',
      )
      .map(({ key }) => key)
      .join(' '),
  );
  return effect(() => {
    void messages.older.value;
    if (doubtful.value === '') return;
    for (const entry of messages.entries.peek()) if (entry.kind === 'message') outbox.settle(entry);
  });
}
