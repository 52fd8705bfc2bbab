import {
  compareIds,
  HISTORY_PAGE,
  type Id,
  type LobbyMessage,
  type ReactionChange,
} from '@hearth/sdk';
import type { MessageSource, ShownMessage } from './message-source.ts';

/** The newest `count` messages of the history, oldest first. */
export async function newestMessages(
  source: Pick<MessageSource, 'list'>,
  count: number,
): Promise<readonly (LobbyMessage & ShownMessage)[]> {
  const found: (LobbyMessage & ShownMessage)[] = [];
  while (found.length < count) {
    const limit = Math.min(count - found.length, HISTORY_PAGE.max);
    const page = await source.list({ before: found.at(-1)?.id, limit });
    found.push(...page);
    if (page.length < limit) break;
  }
  return found.toReversed();
}

/** The reader of a feed. */
export interface FeedReader {
  /** Nothing is reported after it has aborted. */
  readonly signal?: AbortSignal;
  /** `areNew` is false for the messages of the history. */
  show(messages: readonly ShownMessage[], areNew: boolean): void;
  /** Called when a message has changed, even if it was not shown. */
  update(message: ShownMessage): void;
  /** Called when a message was removed, even if it was not shown. */
  remove(id: Id): void;
  /** Called after a reaction to a message, even if that was not shown. */
  react(change: ReactionChange): void;
}

/**
 * Shows the newest `last` messages of the history in one call, and then each new message once and in order, until the
 * client is closed or the reader's signal aborts. A message that is removed before it is shown is not shown. Changes and removals of that time are
 * reported after the history. Resolves when the history is shown, once the gateway is reached. Throws the SDK's errors.
 */
export async function follow(
  source: Pick<MessageSource, 'open' | 'on' | 'list'>,
  last: number,
  reader: FeedReader,
): Promise<void> {
  const { signal } = reader;
  const held: ShownMessage[] = [];
  let newest: Id | undefined;
  let showLive = (message: ShownMessage) => void held.push(message);
  const removed = new Set<Id>();
  const changes: (() => void)[] = [];
  let change = (report: () => void): void => {
    changes.push(report);
  };
  const stops = [
    source.on('message', (message) => showLive(message)),
    source.on('messageUpdate', (message) => change(() => reader.update(message))),
    source.on('reaction', (reaction) => change(() => reader.react(reaction))),
    source.on('messageDelete', ({ id }) => {
      removed.add(id);
      change(() => reader.remove(id));
    }),
  ];
  const stop = () => {
    for (const stopListening of stops) stopListening();
    held.length = 0;
    changes.length = 0;
  };
  signal?.addEventListener('abort', stop, { once: true });
  await source.open();
  try {
    const before = await newestMessages(source, last);
    newest = before.at(-1)?.id;
    const shown = before.filter(({ id }) => !removed.has(id));
    if (signal?.aborted !== true) reader.show(shown, false);
  } finally {
    // Messages that were posted during the request for the history may be in the history as well.
    showLive = (message) => {
      const { id } = message;
      if (id === undefined || newest === undefined || compareIds(id, newest) > 0)
        reader.show([message], true);
    };
    for (const message of held) {
      if (message.id === undefined || !removed.has(message.id)) showLive(message);
    }
    change = (report) => report();
    for (const report of changes) report();
  }
}
