import type { ReceivedMessage } from '@hearth/sdk';

const IGNORABLE = /[\p{Default_Ignorable_Code_Point}\s]/gu;

/** The name of an account. */
export function accountName({ username }: { readonly username: string }): string {
  return `@${username}`;
}

/**
 * The name of who wrote a message: with an `@` if it is that of an account. A guest's that looks as if it began with one gets a
 * backslash, so that no guest looks like an account.
 */
export function authorName({ author, user }: Pick<ReceivedMessage, 'author' | 'user'>): string {
  if (user !== undefined) return accountName({ username: author });
  return author.normalize('NFKC').replace(IGNORABLE, '').startsWith('@') ? `\\${author}` : author;
}
