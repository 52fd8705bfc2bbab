import type { Client } from '@hearth/sdk';
import type { Surroundings } from '../command.ts';
import { tellLimit } from './limit-notices.ts';
import { withClient } from './with-client.ts';

/** What `hearth send` is asked for; without `text` it is all of standard input. */
export interface SendRequest {
  readonly url: string;
  readonly name: string;
  readonly text: string | undefined;
}

/** UTF-8 of a character has no more. */
const MOST_BYTES_PER_CHARACTER = 4;

/** Posts one message. Resolves with the exit code when it is dispatched. */
export function send(
  { url, name, text }: SendRequest,
  surroundings: Surroundings,
): Promise<number> {
  const { warn, streams } = surroundings;
  return withClient(url, surroundings, async (client) => {
    const content = text ?? (await inputText(client, surroundings));
    if (content === undefined) return 1;
    if (streams.stderr.isTTY)
      tellLimit(client, ['message_create'], (when) => warn(`hearth: sent ${when}\n`));
    await client.send({ author: name, content });
    return 0;
  });
}

/** All of standard input but a line break at its end, or undefined where it is no message, which is told. */
async function inputText(
  { info }: Client,
  { streams, warn }: Surroundings,
): Promise<string | undefined> {
  const limit = info.message_limit;
  const chunks: Buffer[] = [];
  let sizeBytes = 0;
  for await (const chunk of streams.stdin) {
    chunks.push(Buffer.from(chunk));
    sizeBytes += chunk.length;
    if (sizeBytes > (limit + 1) * MOST_BYTES_PER_CHARACTER) {
      warn(`hearth: a message has ${limit} characters at most, and standard input has more\n`);
      return undefined;
    }
  }
  try {
    const text = new TextDecoder('utf-8', { fatal: true }).decode(Buffer.concat(chunks));
    return text.replace(/\r?\n$/, '');
  } catch {
    warn('hearth: standard input is no UTF-8 text\n');
    return undefined;
  }
}
