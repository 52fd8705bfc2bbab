import type { OwnChange } from '../changes/own-changes.ts';
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
      if (applied(log, own)) publish();
    }),
  ];
  return () => {
    for (const off of offs) off?.();
  };
}

function applied(log: EntryLog, own: OwnChange): boolean {
  switch (own.kind) {
    case 'update':
      return log.update(own.message);
    case 'text':
      return log.setText(own);
    case 'reaction':
      return log.setReaction(own.id, own.reaction);
    case 'pin':
      return log.setPinned(own.id, own.isPinned);
  }
}
