import { sql } from 'kysely';
import { MAIL_CODE_MS, type Id } from '@hearth/protocol';
import { latestMoment } from '../../../lib/stored-moment.ts';
import type { Reader, Writer } from '../../../ports/database/database.ts';
import type { MailCodesTable } from './tables.ts';

/** The account that a code is for, and the folded address that it was sent to. */
export type MailCode = Pick<MailCodesTable, 'user_id' | 'email_key'>;

export async function insertMailCode(db: Writer, row: MailCodesTable): Promise<void> {
  await db.insertInto('mail_codes').values(row).execute();
}

/** When the codes of an account for this purpose were made that count now, the oldest first. */
export async function selectCodeTimes(
  db: Reader,
  { user_id: userId, purpose }: Pick<MailCodesTable, 'user_id' | 'purpose'>,
  nowMs: number,
): Promise<readonly number[]> {
  const rows = await db
    .selectFrom('mail_codes')
    .select('created_at_ms')
    .where('user_id', '=', userId)
    .where('purpose', '=', purpose)
    .where('created_at_ms', '>', nowMs - MAIL_CODE_MS)
    .where('created_at_ms', '<=', latestMoment(nowMs))
    .orderBy('created_at_ms')
    .execute();
  return rows.map((row) => row.created_at_ms);
}

/** A code that was made after a moment. */
export interface CodeKey {
  readonly hash: string;
  readonly purpose: MailCodesTable['purpose'];
  readonly sinceMs: number;
}

/** The code with this hash, if it can be redeemed. */
export async function selectMailCode(
  db: Reader,
  { hash, purpose, sinceMs }: CodeKey,
): Promise<MailCode | undefined> {
  return await db
    .selectFrom('mail_codes')
    .select(['user_id', 'email_key'])
    .where('code_hash', '=', hash)
    .where('purpose', '=', purpose)
    .where('created_at_ms', '>', sinceMs)
    .executeTakeFirst();
}

/** Uses up the code with this hash: of those who try at the same time, one gets it. */
export async function takeMailCode(
  db: Writer,
  { hash, purpose, sinceMs, userId }: CodeKey & { readonly userId: Id },
): Promise<MailCode | undefined> {
  return await db
    .deleteFrom('mail_codes')
    .where('code_hash', '=', hash)
    .where('purpose', '=', purpose)
    .where('created_at_ms', '>', sinceMs)
    .where('user_id', '=', userId)
    .returning(['user_id', 'email_key'])
    .executeTakeFirst();
}

/** Forgets a code that was not sent. */
export async function deleteMailCode(db: Writer, hash: string): Promise<void> {
  await db.deleteFrom('mail_codes').where('code_hash', '=', hash).execute();
}

/**
 * Makes the codes of an account worthless: all, or those for one purpose. They still count as codes that it got, so that
 * nobody sends mail without end by making them worthless.
 */
export async function voidMailCodes(
  db: Writer,
  userId: Id,
  purpose?: MailCodesTable['purpose'],
): Promise<void> {
  const all = db
    .updateTable('mail_codes')
    // No code has such a hash.
    .set({ code_hash: sql<string>`'void ' || code_hash`, email_key: '' })
    .where('user_id', '=', userId)
    .where('email_key', '!=', '');
  await (purpose === undefined ? all : all.where('purpose', '=', purpose)).execute();
}

/** Forgets codes that were made before a moment. */
export async function deleteMailCodesBefore(db: Writer, beforeMs: number): Promise<void> {
  await db.deleteFrom('mail_codes').where('created_at_ms', '<=', beforeMs).execute();
}
