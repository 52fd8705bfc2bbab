import type { Gap, Id, ReceivedMessage } from '@hearth/sdk';
import { escapeUnsafe } from '../text.ts';

const ESCAPES: ReadonlyMap<string, string> = new Map([
  ['\n', '\\n'],
  ['\r', '\\r'],
  ['\t', '\\t'],
]);

/** A message on one line: its time to the second, its author, its text. `receivedAtMs` is for those that have no time. */
export function messageLine(message: ReceivedMessage, receivedAtMs: number): string {
  const { author, content } = message;
  return `${timeOf(message, receivedAtMs)} ${visible(author)}: ${visible(content)}\n`;
}

/** A message as it is since it was changed, likewise. */
export function editedLine(message: ReceivedMessage, receivedAtMs: number): string {
  return messageLine({ ...message, author: `${message.author} (edited)` }, receivedAtMs);
}

/** Which message was removed, without its text. */
export function removalNotice(message: ReceivedMessage, receivedAtMs: number): string {
  return `a message by ${visible(message.author)} (${timeOf(message, receivedAtMs)}) was removed`;
}

/** A message as the instance gave it, as JSON on one line. */
export function messageJson(message: ReceivedMessage): string {
  return jsonLine(asGiven(message));
}

/** A message that has changed, as it is now, as JSON on one line. */
export function updatedJson(message: ReceivedMessage): string {
  return jsonLine({ updated: asGiven(message) });
}

/** The removal of a message, as JSON on one line. */
export function deletedJson(id: Id): string {
  return jsonLine({ deleted: { id } });
}

/** A place where messages may be missing, as JSON on one line. */
export function gapJson({ fromMs, untilMs, afterId }: Gap): string {
  return jsonLine({ gap: { from: fromMs, until: untilMs, after: afterId } });
}

/** Anything as JSON on one line that is harmless on a terminal. */
export function jsonLine(value: object): string {
  return `${escapeUnsafe(JSON.stringify(value))}\n`;
}

function asGiven({ id, author, content, created_at, nonce }: ReceivedMessage): object {
  return { id, author, content, created_at, nonce };
}

function timeOf({ created_at: createdAtMs }: ReceivedMessage, receivedAtMs: number): string {
  return new Date(createdAtMs ?? receivedAtMs).toISOString().replace(/\.\d+/, '');
}

function visible(text: string): string {
  return escapeUnsafe(text.replaceAll(/[\n\r\t]/g, (character) => ESCAPES.get(character) ?? ''));
}
