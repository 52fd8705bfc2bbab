import type { Id, LobbyMessage } from '@hearth/protocol';
import { storedId } from '../../../ports/database/stored-id.ts';
import type { DispatchedMessage } from './message-journal.ts';
import type { MessageGroupsTable } from './tables.ts';

export interface StoredMessage {
  /** Counts what was dispatched, from 1. */
  readonly number: number;
  readonly message: LobbyMessage;
  /** The nonce that is remembered when the message is written. */
  readonly nonce?: string;
}

/** The messages of a row. */
export interface Group {
  readonly lastNumber: number;
  readonly messages: readonly (LobbyMessage | null)[];
}

/**
 * The most that a row holds, in messages and about in UTF-16 units: reading or removing one message reads the whole
 * row.
 */
export const MESSAGES_A_GROUP = 64;
const LENGTH_A_GROUP = 32 * 1024;

const SEPARATOR = ',\n';

/** Matches the beginning of the text of a message. */
const BEGIN = /^\{"id":"(\d+)"/;

/** The length of a message besides its texts. */
const FRAME_LENGTH = 128;

/** The approximate length of a message's text, in UTF-16 units. */
export function lengthOf({ message: { author, content } }: StoredMessage): number {
  return author.length + content.length + FRAME_LENGTH;
}

/** A message that was dispatched, as it is kept. */
export function storedAs(number: number, dispatched: DispatchedMessage): StoredMessage {
  if (dispatched.nonce === undefined) return { number, message: dispatched };
  const { nonce, ...message } = dispatched;
  return { number, message, nonce };
}

export function rowsOf(messages: readonly StoredMessage[]): readonly MessageGroupsTable[] {
  return groupsIn(messages).map(rowOf);
}

/** The messages of a row; those that were removed are null. */
export function groupOf({
  last_number,
  messages,
}: Pick<MessageGroupsTable, 'last_number' | 'messages'>): Group {
  // Guarantee: what is stored was made from messages.
  return {
    lastNumber: Number(last_number),
    messages: JSON.parse(messages) as (LobbyMessage | null)[],
  };
}

/** The messages of a row as it is stored. */
export function messagesText(messages: Group['messages']): string {
  // A line for each, because texts in JSON have no line breaks: one can be read without parsing the others.
  return `[${messages.map((message) => JSON.stringify(message)).join(SEPARATOR)}]`;
}

/** Returns the messages of a row that have one of these ids and were not removed. */
export function storedAt(
  row: Pick<MessageGroupsTable, 'last_number' | 'messages'>,
  ids: ReadonlySet<Id>,
): readonly StoredMessage[] {
  const texts = row.messages.slice(1, -1).split(SEPARATOR);
  const firstNumber = Number(row.last_number) - texts.length + 1;
  return texts.flatMap((text, index) => {
    const id = BEGIN.exec(text)?.[1];
    if (id !== undefined && !ids.has(storedId(id))) return [];
    // Guarantee: what is stored was made from messages.
    const message = JSON.parse(text) as LobbyMessage | null;
    return message === null || !ids.has(message.id)
      ? []
      : [{ number: firstNumber + index, message }];
  });
}

/** The messages of a row that were not removed, with their numbers. */
export function storedIn({ lastNumber, messages }: Group): readonly StoredMessage[] {
  const firstNumber = lastNumber - messages.length + 1;
  return messages.flatMap((message, index) =>
    message === null ? [] : [{ number: firstNumber + index, message }],
  );
}

function groupsIn(messages: readonly StoredMessage[]): StoredMessage[][] {
  const groups: StoredMessage[][] = [];
  let group: StoredMessage[] = [];
  let length = 0;
  for (const message of messages) {
    if (group.length === MESSAGES_A_GROUP || length > LENGTH_A_GROUP) [group, length] = [[], 0];
    if (group.length === 0) groups.push(group);
    group.push(message);
    length += lengthOf(message);
  }
  return groups;
}

function rowOf(stored: readonly StoredMessage[]): MessageGroupsTable {
  const messages = stored.map(({ message }) => message);
  const [first, last] = [stored[0], stored.at(-1)];
  if (first === undefined || last === undefined) throw new TypeError('a group without messages');
  return {
    first_id: first.message.id,
    last_id: last.message.id,
    last_number: last.number,
    newest_ms: Math.max(...messages.map(({ created_at }) => created_at)),
    messages: messagesText(messages),
  };
}
