import {
  UnauthorizedError,
  ValidationError,
  type Id,
  type OwnUser,
  type Session,
  type SignedIn,
  type UserChange,
} from '@hearth/protocol';
import { MOST_SETTINGS_CHARACTERS } from '@hearth/protocol/schemas';
import { isDeepStrictEqual } from 'node:util';
import type { SessionAccount } from '../../../actor.ts';
import type { Context } from '../../../context.ts';
import type { Transaction } from '../../../ports/database/database.ts';
import type { EmittingTransaction } from '../../../ports/outbox/outbox.ts';
import { releasing } from '../../platform/contents/contents.ts';
import type { KeepsGuesses } from '../../platform/guesses/guesses.ts';
import { changeEmail, voidMailCodes, requireFreeEmail } from '../mail-codes/mail-codes.ts';
import { addNotice } from '../../platform/mail/mail.ts';
import {
  prepareToken,
  startOver,
  type KeepsTokens,
  type PreparedToken,
} from '../sessions/sessions.ts';
import {
  announceOwnUser,
  announcePerson,
  describeOwnUser,
  holdAccount,
  lockUser,
  requireOwnPassword,
  requireUncommonPassword,
  selectUser,
  updatePassword,
  updateUser,
  type UsersTable,
  type HasPersonAnnouncers,
  type KeepsPasswords,
  type UserNames,
} from '../users/users.ts';
import { changePictures, requireOwnPictures, type HasPublicFiles } from './profile-pictures.ts';

/** Lists somebody by their new names. To be called in the transaction that changes the account, which is locked. */
export type RenamePerson = (tx: Transaction, userId: Id, names: UserNames) => Promise<void>;

export interface HasRenamers {
  readonly renamers: readonly RenamePerson[];
}

type OwnAccountContext = Context &
  HasPersonAnnouncers &
  HasPublicFiles &
  HasRenamers &
  KeepsGuesses &
  KeepsPasswords &
  KeepsTokens;

/**
 * Changes what differs of what a person says of themselves, their pictures, their settings, and, for their present password,
 * their address and their password. A new password ends all tokens and all other sessions; the result then has a new token.
 * Throws ValidationError if there would be too many settings, for `current_password` and for what is no picture of theirs,
 * ConflictError, RateLimitedError, and UnauthorizedError if the account has been deleted meanwhile.
 */
export async function updateMe(
  ctx: OwnAccountContext,
  actor: SessionAccount,
  change: UserChange,
): Promise<OwnUser | SignedIn> {
  await requireOwnPictures(ctx, actor, change);
  const proof = await proofOf(ctx, actor, change);
  return await releasing(ctx, (release) =>
    ctx.database.transaction(async (tx) => {
      const lock = change.email === undefined ? holdAccount : lockUser;
      const user = await lock(tx.sql, actor.user_id);
      if (user?.state !== 'active') throw new UnauthorizedError('token_ended');
      const profile = profileOf(user, change);
      const isSame = isDeepStrictEqual({ ...user, ...profile, ...picturesIn(change) }, { ...user });
      if (isSame && proof === undefined) return describeOwnUser(ctx, user);
      await updateUser(tx.sql, user.id, profile);
      if (profile.display_name !== user.display_name) {
        for (const rename of ctx.renamers) await rename(tx, user.id, { ...user, ...profile });
      }
      await changePictures(tx, ctx, { user, change, release });
      tx.changed('users', user.id);
      const session =
        proof === undefined ? undefined : await changeProved(tx, ctx, { user, change, proof });
      const changed = await selectUser(tx.sql, user.id);
      if (changed === undefined) throw new Error('the account is not there');
      await announceOwnUser(tx, ctx, changed);
      await announcePerson(tx, ctx, { before: user, after: changed });
      const shown = describeOwnUser(ctx, changed);
      const token = proof?.renewed?.token;
      return session === undefined || token === undefined ? shown : { user: shown, token, session };
    }),
  );
}

/** The profile that a person writes about themselves, and their settings as JSON. */
type Profile = Pick<UsersTable, 'display_name' | 'bio' | 'pronouns' | 'settings'>;

/** A new password, and the session that it leaves, with its next token. */
interface Renewal extends PreparedToken {
  readonly passwordHash: string;
  readonly session: SessionAccount;
}

/** A proof that a person knows the password, and what it allows to change. */
interface Proof {
  /** The hash with which the password was compared. */
  readonly passwordHash: string;
  readonly renewed: Renewal | undefined;
}

/** Resolves with a proof that the person knows their password, if they change something for which they have to. */
async function proofOf(
  ctx: Context & KeepsGuesses & KeepsPasswords & KeepsTokens,
  actor: SessionAccount,
  { email, password, current_password: current }: UserChange,
): Promise<Proof | undefined> {
  if (email === undefined && password === undefined) return undefined;
  if (current === undefined) {
    throw new ValidationError('current_password', 'must be given with a new address or password');
  }
  const { password_hash: passwordHash } = await requireOwnPassword(ctx, actor, current);
  if (email !== undefined) await requireFreeEmail(ctx, actor, email);
  if (password === undefined) return { passwordHash, renewed: undefined };
  await requireUncommonPassword(password);
  const newHash = await ctx.passwords.hash(password);
  const prepared = await prepareToken(ctx, actor);
  return { passwordHash, renewed: { ...prepared, passwordHash: newHash, session: actor } };
}

interface Proved {
  readonly user: UsersTable;
  readonly change: UserChange;
  readonly proof: Proof;
}

/** The session of the person, if they have a new password. */
async function changeProved(
  tx: EmittingTransaction,
  ctx: Pick<Context, 'clock' | 'settings' | 'mailer'>,
  { user, change: { email }, proof: { passwordHash, renewed } }: Proved,
): Promise<Session | undefined> {
  if (user.password_hash !== passwordHash)
    throw new ValidationError('current_password', 'is wrong');
  let session: Session | undefined;
  if (renewed !== undefined) {
    await updatePassword(tx.sql, user.id, renewed.passwordHash);
    await voidMailCodes(tx.sql, user.id);
    session = await startOver(tx, renewed.session, {
      hash: renewed.hash,
      nowMs: ctx.clock.unixMs(),
    });
    await addNotice(tx, ctx, { person: user, notice: { kind: 'passwordChanged' } });
  }
  if (email !== undefined) await changeEmail(tx, ctx, { account: user, email });
  return session;
}

function profileOf(user: UsersTable, change: UserChange): Profile {
  const { display_name: displayName, bio, pronouns, settings } = change;
  return {
    display_name: changed(user.display_name, displayName),
    bio: changed(user.bio, bio),
    pronouns: changed(user.pronouns, pronouns),
    settings: settings === undefined ? user.settings : merged(user.settings, settings),
  };
}

function picturesIn({ avatar, banner }: UserChange): Partial<UsersTable> {
  return {
    ...(avatar !== undefined && { avatar: avatar ?? '' }),
    ...(banner !== undefined && { banner: banner ?? '' }),
  };
}

function changed(text: string, change: string | null | undefined): string {
  return change === undefined ? text : (change ?? '');
}

function merged(known: string, change: NonNullable<UserChange['settings']>): string {
  const all: Readonly<Record<string, unknown>> = { ...JSON.parse(known), ...change };
  const kept = Object.entries(all).filter(([, value]) => value !== null);
  const text = JSON.stringify(Object.fromEntries(kept));
  if (text.length <= MOST_SETTINGS_CHARACTERS) return text;
  const error = `must be at most ${MOST_SETTINGS_CHARACTERS} characters of JSON together`;
  throw new ValidationError('settings', error);
}
