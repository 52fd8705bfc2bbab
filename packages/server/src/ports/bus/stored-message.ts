import type { LobbyMessage } from '@hearth/protocol';
import type { BusEvent, EventDraft } from './bus.ts';

const NO_NONCE = '';
/** Before a nonce, which may be empty. */
const NONCE_MARK = '=';

/** What a message is stored as: what the history has of it but its identifier, and the nonce. */
export function storedTexts({ d }: EventDraft): readonly [message: string, nonce: string] {
  const { author, content, created_at, nonce } = d;
  const message = JSON.stringify({ author, content, created_at });
  return [message, nonce === undefined ? NO_NONCE : NONCE_MARK + nonce];
}

/** The message of a stored text, or undefined where that is none. */
export function messageOf(id: LobbyMessage['id'], text: string): LobbyMessage | undefined {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    return undefined;
  }
  if (typeof value !== 'object' || value === null) return undefined;
  if (!('author' in value && 'content' in value && 'created_at' in value)) return undefined;
  const { author, content, created_at } = value;
  const isMessage =
    typeof author === 'string' && typeof content === 'string' && typeof created_at === 'number';
  return isMessage ? { id, author, content, created_at } : undefined;
}

/** The event of stored texts, or undefined where they are none. */
export function eventOf(
  id: LobbyMessage['id'],
  message: string,
  nonce: string,
): BusEvent | undefined {
  const d = messageOf(id, message);
  if (d === undefined) return undefined;
  const told = nonce.startsWith(NONCE_MARK) ? { ...d, nonce: nonce.slice(NONCE_MARK.length) } : d;
  return { op: 'MESSAGE_CREATE', d: told };
}
