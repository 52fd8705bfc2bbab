import { plainTextOf, type ReceivedMessage } from '@hearth/sdk';
import { inLine } from '../text.ts';
import { authorName } from './author-name.ts';

/** More of a text is not shown. */
const MOST_CHARACTERS = 100;

/** A notice of a message elsewhere that mentions the user, in one line. */
export function mentionNotice(
  message: Pick<ReceivedMessage, 'author' | 'user' | 'content'>,
  where: string,
): string {
  const text = Array.from(plainTextOf(message.content).replaceAll('\n', ' '));
  const cut =
    text.length > MOST_CHARACTERS ? `${text.slice(0, MOST_CHARACTERS).join('')}…` : text.join('');
  return inLine(`${authorName(message)} mentions you in ${where}: ${cut}`);
}
