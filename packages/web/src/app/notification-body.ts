import { plainTextOf } from '@hearth/sdk';
import type { Attachments } from '../conversation/attachments/attachments.ts';

const MOST_CHARACTERS = 200;

/** The text of a notification for a message: its words, or what it has in their place. */
export function notificationBody(
  { text, ids }: ReturnType<Attachments['split']>,
  words: { readonly file: string; readonly newMessage: string },
): string {
  const plain = plainTextOf(text) || (ids.length > 0 ? words.file : words.newMessage);
  return plain.length > MOST_CHARACTERS
    ? `${plain.slice(0, MOST_CHARACTERS)}…`.toWellFormed()
    : plain;
}
