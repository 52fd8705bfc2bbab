import {
  compareIds,
  HISTORY_PAGE,
  type Client,
  type Id,
  type LobbyMessage,
  type ReceivedMessage,
} from '@hearth/sdk';

/** The newest `count` messages of the history, the oldest of them first. */
export async function newestMessages(
  client: Client,
  count: number,
): Promise<readonly LobbyMessage[]> {
  const found: LobbyMessage[] = [];
  while (found.length < count) {
    const limit = Math.min(count - found.length, HISTORY_PAGE.max);
    const page = await client.rest.listMessages({ before: found.at(-1)?.id, limit });
    found.push(...page);
    if (page.length < limit) break;
  }
  return found.toReversed();
}

/**
 * Shows the newest `last` messages of the history, all at a time, and then what comes, each once and in order, until the
 * client is closed. Resolves when the history is shown, which is when the gateway could be reached. Throws the library's
 * errors.
 */
export async function follow(
  client: Client,
  last: number,
  show: (messages: readonly ReceivedMessage[]) => void,
): Promise<void> {
  const held: ReceivedMessage[] = [];
  let newest: Id | undefined;
  let showLive = (message: ReceivedMessage) => void held.push(message);
  client.on('message', (message) => showLive(message));
  await client.open();
  try {
    const before = await newestMessages(client, last);
    newest = before.at(-1)?.id;
    show(before);
  } finally {
    // What was posted while the history was asked for is in both.
    showLive = (message) => {
      const { id } = message;
      if (id === undefined || newest === undefined || compareIds(id, newest) > 0) show([message]);
    };
    for (const message of held) showLive(message);
  }
}
