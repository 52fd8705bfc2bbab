import type { Surroundings } from '../command.ts';
import { MESSAGE_LIMITS, reportLimit, warnOfBusy } from './limit-notices.ts';
import { sourceAt } from './source-at.ts';
import { missingAccount, missingName, withClient, type InstanceRequest } from './with-client.ts';

/** The arguments of `hearth send`. Without `text`, the message is read from standard input. */
export interface SendRequest extends InstanceRequest {
  /** The name to write under; undefined for that of the account. */
  readonly name: string | undefined;
  readonly text: string | undefined;
  /** The channel to write in; undefined for the lobby. */
  readonly place?: string | undefined;
}

/** The longest UTF-8 encoding of a character. */
const MOST_BYTES_PER_CHARACTER = 4;

/** Posts one message. Resolves with the exit code when the message is dispatched. */
export function send(
  { name, text, place, ...instance }: SendRequest,
  surroundings: Surroundings,
): Promise<number> {
  const { warn, streams } = surroundings;
  return withClient(instance, surroundings, async (client, account) => {
    const author = name ?? account?.username;
    if (author === undefined) {
      return place === undefined ? missingName(client, warn) : missingAccount(client, warn);
    }
    const source = await sourceAt(client, place, account);
    const content = text ?? (await inputText(client.info.message_limit, surroundings));
    if (content === undefined) return 1;
    if (streams.stderr.isTTY)
      reportLimit(client, MESSAGE_LIMITS, (when) =>
        warn(`hearth: rate limit reached, sending ${when}\n`),
      );
    warnOfBusy(client, surroundings);
    await source.send({ author, content });
    return 0;
  });
}

/** Reads standard input, without a line break at its end. Undefined if it cannot be a message, which is printed. */
export async function inputText(
  limit: number,
  { streams, warn }: Surroundings,
): Promise<string | undefined> {
  const chunks: Buffer[] = [];
  let sizeBytes = 0;
  for await (const chunk of streams.stdin) {
    chunks.push(Buffer.from(chunk));
    sizeBytes += chunk.length;
    if (sizeBytes > (limit + 1) * MOST_BYTES_PER_CHARACTER) {
      warn(`hearth: standard input: expected at most ${limit} characters, got more\n`);
      return undefined;
    }
  }
  try {
    const text = new TextDecoder('utf-8', { fatal: true }).decode(Buffer.concat(chunks));
    return text.replace(/\r?\n$/, '');
  } catch {
    warn('hearth: standard input: expected UTF-8 text\n');
    return undefined;
  }
}
