import type { Gap, Id, ReactionChange, ReceivedMessage } from '@hearth/sdk';
import type { ShownMessage } from './message-source.ts';
import { authorName } from './author-name.ts';
import { escapeUnsafe } from '../text.ts';

const ESCAPES: ReadonlyMap<string, string> = new Map([
  ['\n', '\\n'],
  ['\r', '\\r'],
  ['\t', '\\t'],
]);

/**
 * A message on one line: its time, its channel if that is given, its author and its text. `receivedAtMs` is used if the message
 * has no time.
 */
export function messageLine(
  message: ReceivedMessage,
  receivedAtMs: number,
  channel?: string,
): string {
  const where = channel === undefined ? '' : `#${channel} `;
  return line(message, receivedAtMs, `${where}${authorName(message)}`);
}

/** A changed message on one line, marked as edited. */
export function editedLine(message: ReceivedMessage, receivedAtMs: number): string {
  return line(message, receivedAtMs, `${authorName(message)} (edited)`);
}

/** A notice of a removed message, without its text. */
export function removalNotice(message: ReceivedMessage, receivedAtMs: number): string {
  return `a message by ${visible(authorName(message))} (${timeOf(message, receivedAtMs)}) was removed`;
}

/** A message as the instance sent it, as JSON on one line. */
export function messageJson(message: ShownMessage): string {
  return jsonLine(asGiven(message));
}

/** The new version of a changed message, as JSON on one line. */
export function updatedJson(message: ShownMessage): string {
  return jsonLine({ updated: asGiven(message) });
}

/** The removal of a message, as JSON on one line. */
export function deletedJson(id: Id): string {
  return jsonLine({ deleted: { id } });
}

/** A reaction to a message, as JSON on one line. */
export function reactionJson({ isAdded, ...reaction }: ReactionChange): string {
  return jsonLine({ [isAdded ? 'reacted' : 'unreacted']: reaction });
}

/** A place where messages may be missing, as JSON on one line. */
export function gapJson({ fromMs, untilMs, afterId }: Gap): string {
  return jsonLine({ gap: { from: fromMs, until: untilMs, after: afterId } });
}

/** A value as JSON on one line, safe to print on a terminal. */
export function jsonLine(value: object): string {
  return `${escapeUnsafe(JSON.stringify(value))}\n`;
}

function line(message: ReceivedMessage, receivedAtMs: number, name: string): string {
  return `${timeOf(message, receivedAtMs)} ${visible(name)}: ${visible(message.content)}\n`;
}

function asGiven(message: ShownMessage): object {
  if (message.given !== undefined) return message.given;
  const { id, author, content, created_at, nonce, user, edited_at, version, reactions } = message;
  return { id, author, content, created_at, nonce, user, edited_at, version, reactions };
}

function timeOf({ created_at: createdAtMs }: ReceivedMessage, receivedAtMs: number): string {
  return new Date(createdAtMs ?? receivedAtMs).toISOString().replace(/\.\d+/, '');
}

function visible(text: string): string {
  return escapeUnsafe(text.replaceAll(/[\n\r\t]/g, (character) => ESCAPES.get(character) ?? ''));
}
