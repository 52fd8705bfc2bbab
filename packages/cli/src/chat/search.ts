import { HISTORY_PAGE, type Client, type LobbyMessage, type SearchQuery } from '@hearth/sdk';
import type { Surroundings } from '../command.ts';
import { LineWriter } from './line-writer.ts';
import { lineFormatter } from './message-lines.ts';
import { withClient, type InstanceRequest } from './with-client.ts';

/** The arguments of `hearth search`. */
export interface SearchRequest extends InstanceRequest {
  readonly query: Pick<SearchQuery, 'text' | 'from' | 'has'>;
  readonly limit: number;
  readonly asJson: boolean;
}

/** Prints the messages that a search finds. Resolves with the exit code. */
export function search(
  { query, limit, asJson, ...instance }: SearchRequest,
  { warn, env, streams }: Surroundings,
): Promise<number> {
  return withClient(instance, { warn, env }, async (client) => {
    const output = new LineWriter(streams.stdout);
    const lineOf = lineFormatter(client, { isTerminal: streams.stdout.isTTY, asJson });
    const found = await find(client, query, limit);
    output.write(found.map((message) => lineOf(message, message.created_at)).join(''));
    return output.finish(warn);
  });
}

/** The newest messages that a search finds, the oldest first. */
async function find(
  client: Client,
  query: SearchRequest['query'],
  count: number,
): Promise<readonly LobbyMessage[]> {
  const found: LobbyMessage[] = [];
  let before: SearchQuery['before'];
  while (found.length < count) {
    const limit = Math.min(count - found.length, HISTORY_PAGE.max);
    const { messages, next } = await client.search({ ...query, before, limit });
    found.push(...messages);
    if (next === undefined) break;
    before = next;
  }
  return found.toReversed();
}
