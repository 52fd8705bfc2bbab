import type { LobbyMessage } from '@hearth/protocol';
import type { MessageHistory } from './message-history.ts';

const PAGE_MESSAGES = 500;

/** Every message that is kept, the newest first. */
export async function* eachMessage(
  history: Pick<MessageHistory, 'list'>,
): AsyncGenerator<LobbyMessage, undefined> {
  for (let last: LobbyMessage | undefined; ;) {
    const page = await history.list({ before: last?.id, limit: PAGE_MESSAGES });
    yield* page;
    last = page.at(-1);
    if (last === undefined || page.length < PAGE_MESSAGES) return undefined;
  }
}
