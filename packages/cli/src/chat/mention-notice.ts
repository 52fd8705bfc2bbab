import { excerptOf, shortened, withEllipsis } from '@hearth/markdown';
import type { Notification, ReceivedMessage } from '@hearth/sdk';
import { inLine } from '../text.ts';
import { authorName } from './author-name.ts';

/** More of a text is not shown. */
const MOST_CHARACTERS = 100;

/** A notice of a message elsewhere that mentions the user, in one line. */
export function mentionNotice(
  message: Pick<ReceivedMessage, 'author' | 'user' | 'content'>,
  where: string,
): string {
  return inLine(`${authorName(message)} mentions you in ${where}: ${excerptIn(message.content)}`);
}

/** A notice of a reply to the user, or of a post or comment that mentions them, in one line. */
export function concernNotice(
  { kind, user, post_title: title, excerpt = '' }: Notification,
  where: string,
): string {
  const name = user === undefined ? 'somebody' : authorName({ author: user.username, user });
  const does = kind === 'reply' ? 'replies to' : 'mentions';
  const place = title === undefined ? where : `${where}, “${title}”`;
  return inLine(`${name} ${does} you in ${place}: ${shortened(excerpt, MOST_CHARACTERS)}`);
}

function excerptIn(content: string): string {
  return withEllipsis(
    excerptOf(content, MOST_CHARACTERS, { isOwn: true, hasBullets: false, addresses: 'none' }),
  );
}
