import type { OwnerContext } from '../../src/instance.ts';
import { typedCodeHash } from '../../src/lib/typed-code.ts';

/** Events in the life of a registered person before a test. */
export interface Preparation {
  readonly username: string;
  /** Codes that were sent to them, with their purposes. */
  readonly codes?: Readonly<Record<string, 'verify' | 'reset'>>;
  readonly isVerified?: boolean;
  readonly pendingEmail?: string;
  /** A recovery code of their second factor. */
  readonly recoveryCode?: string;
}

/** Puts registered people into the state in which certain answers follow. */
export async function preparePerson(
  { database, clock }: OwnerContext,
  { username, codes = {}, isVerified, pendingEmail, recoveryCode }: Preparation,
): Promise<void> {
  await database.transaction(async ({ sql }) => {
    const { id } = await sql
      .updateTable('users')
      .set({
        pending_email: pendingEmail ?? '',
        email_verified_at_ms: isVerified === true ? 1 : 0,
        totp_since_ms: recoveryCode === undefined ? 0 : 1,
      })
      .where('username', '=', username)
      .returning('id')
      .executeTakeFirstOrThrow();
    const email = pendingEmail ?? `${username}@example.org`;
    const made = { user_id: id, email_key: email, created_at_ms: clock.unixMs() };
    for (const [code, purpose] of Object.entries(codes)) {
      const row = { ...made, code_hash: typedCodeHash(code), purpose };
      await sql.insertInto('mail_codes').values(row).execute();
    }
    if (recoveryCode === undefined) return;
    const secret = { secret: 'A'.repeat(32), new_secret: '', last_step: 0 };
    await sql
      .insertInto('totp')
      .values({ user_id: id, ...secret })
      .execute();
    const row = { code_hash: typedCodeHash(recoveryCode), user_id: id };
    await sql.insertInto('recovery_codes').values(row).execute();
  });
}
