import { effect } from '@preact/signals';
import type { Connection } from '../connection/connection.ts';
import type { ConversationParts } from '../conversation/conversation.ts';
import { checkPage, retryParts } from '../lib/load-part.ts';

/** Not all pages ask in the same moment that an instance is back. */
const LEAST_MS = 5_000;
const SPREAD_MS = 25_000;

/** Each time that the connection is back, loads again what was lost, and finds out whether the instance has another page. */
export function watchPage(
  { state }: Pick<Connection, 'state'>,
  clock: Pick<ConversationParts['clock'], 'after'>,
): () => void {
  let wasOpen = false;
  let wasAway = false;
  return effect(() => {
    const isOpen = state.value.state === 'open';
    if (isOpen && wasAway) {
      retryParts();
      clock.after(LEAST_MS + Math.random() * SPREAD_MS, () => void checkPage());
    }
    wasOpen ||= isOpen;
    wasAway = wasOpen && !isOpen;
  });
}
