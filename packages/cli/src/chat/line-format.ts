import type { Gap, ReceivedMessage } from '@hearth/sdk';
import { escapeUnsafe } from '../text.ts';

const ESCAPES: ReadonlyMap<string, string> = new Map([
  ['\n', '\\n'],
  ['\r', '\\r'],
  ['\t', '\\t'],
]);

/** A message on one line: its time to the second, its author, its text. `receivedAtMs` is for those that have no time. */
export function messageLine(message: ReceivedMessage, receivedAtMs: number): string {
  const { author, content, created_at: createdAtMs = receivedAtMs } = message;
  const time = new Date(createdAtMs).toISOString().replace(/\.\d+/, '');
  return `${time} ${visible(author)}: ${visible(content)}\n`;
}

/** A message as the instance gave it, as JSON on one line. */
export function messageJson({ id, author, content, created_at, nonce }: ReceivedMessage): string {
  return jsonLine({ id, author, content, created_at, nonce });
}

/** A place where messages may be missing, as JSON on one line. */
export function gapJson({ fromMs, untilMs, afterId }: Gap): string {
  return jsonLine({ gap: { from: fromMs, until: untilMs, after: afterId } });
}

/** Anything as JSON on one line that is harmless on a terminal. */
export function jsonLine(value: object): string {
  return `${escapeUnsafe(JSON.stringify(value))}\n`;
}

function visible(text: string): string {
  return escapeUnsafe(text.replaceAll(/[\n\r\t]/g, (character) => ESCAPES.get(character) ?? ''));
}
