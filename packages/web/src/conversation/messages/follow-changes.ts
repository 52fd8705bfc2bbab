import type { ConversationSource } from '../conversation-source.ts';
import { detailsOf } from './entry.ts';
import type { EntryLog } from './entry-log.ts';
import type { HistoryOptions } from './history-page.ts';

interface Following extends Pick<HistoryOptions, 'ownId' | 'ownChanges'> {
  /** Called after a change. */
  readonly publish: () => void;
}

/** Applies the changes of messages, made elsewhere or here, to a log; returns a function that stops it. */
export function followChanges(
  log: EntryLog,
  source: Pick<ConversationSource, 'on'>,
  { ownId, ownChanges, publish }: Following,
): () => void {
  const offs = [
    source.on('messageUpdate', (message) => {
      const { id, author, content } = message;
      if (log.update({ id, author, content, ...detailsOf(message) })) publish();
    }),
    source.on('reaction', (change) => {
      if (log.react(change, ownId)) publish();
    }),
    ownChanges?.on((own) => {
      const isNew =
        own.kind === 'update' ? log.update(own.message) : log.setReaction(own.id, own.reaction);
      if (isNew) publish();
    }),
  ];
  return () => {
    for (const off of offs) off?.();
  };
}
