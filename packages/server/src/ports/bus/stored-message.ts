import type { LobbyMessage } from '@hearth/protocol';
import type { BusEvent, EventDraft } from './bus.ts';

const NO_NONCE = '';

/** What a message is stored as: what the history has of it but its identifier, and the nonce, both in JSON. */
export function storedTexts({ d }: EventDraft): readonly [message: string, nonce: string] {
  const { author, content, created_at, nonce } = d;
  const message = JSON.stringify({ author, content, created_at });
  return [message, nonce === undefined ? NO_NONCE : JSON.stringify(nonce)];
}

/** The message of a stored text, or undefined where that is none. */
export function messageOf(id: LobbyMessage['id'], text: string): LobbyMessage | undefined {
  const value = valueOf(text);
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
  const given = nonce === NO_NONCE ? undefined : valueOf(nonce);
  return { op: 'MESSAGE_CREATE', d: typeof given === 'string' ? { ...d, nonce: given } : d };
}

function valueOf(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
