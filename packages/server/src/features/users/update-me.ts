import {
  UnauthorizedError,
  ValidationError,
  type OwnUser,
  type UserChange,
} from '@hearth/protocol';
import { MOST_SETTINGS_CHARACTERS } from '@hearth/protocol/schemas';
import type { User } from '../../actor.ts';
import type { AccountContext } from './account-context.ts';
import { announceOwnUser } from './announce-own-user.ts';
import { describeOwnUser } from './describe-user.ts';
import { lockUser, selectUser, updateProfile, type Profile, type StoredUser } from './store.ts';

/**
 * Changes what a person says of themselves, and their settings. Throws ValidationError if there would be too many settings,
 * and UnauthorizedError if the account has been deleted meanwhile.
 */
export async function updateMe(
  { database }: AccountContext,
  { user_id: id }: User,
  change: UserChange,
): Promise<OwnUser> {
  return await database.transaction(async (tx) => {
    const user = await lockUser(tx.sql, id);
    if (user?.state !== 'active') throw new UnauthorizedError('token_ended');
    await updateProfile(tx.sql, user.id, profileOf(user, change));
    tx.changed('users', user.id);
    const changed = await selectUser(tx.sql, id);
    if (changed === undefined) throw new Error('the account is not there');
    await announceOwnUser(tx, changed);
    return describeOwnUser(changed);
  });
}

function profileOf(user: StoredUser, change: UserChange): Profile {
  const { display_name: displayName, bio, pronouns, settings } = change;
  return {
    displayName: changed(user.displayName, displayName),
    bio: changed(user.bio, bio),
    pronouns: changed(user.pronouns, pronouns),
    settings: settings === undefined ? user.settings : merged(user.settings, settings),
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
