import { hasPermission, isEmptyMask, PERMISSIONS, type Id } from '@hearth/protocol';
import { ageOf } from '../../../lib/stored-moment.ts';
import type { Context } from '../../../context.ts';
import type { Reader } from '../../../ports/database/database.ts';
import { accessOf, selectMember, type KnownCommunity } from '../structure/structure.ts';
import { findActiveUser } from '../../accounts/users/users.ts';
import { isUsable } from './is-usable.ts';
import { selectRegisteredAt } from './registrations-store.ts';
import type { StoredInvite } from './store.ts';
import { DAY_MS } from '../../../lib/clock.ts';

/** The least age of an account whose invites register others, in milliseconds. */
const LEAST_AGE_MS = DAY_MS;

/** Bounds on the registrations of an invite, unless its maker manages the invites. */
const REGISTERS_MS = 7 * DAY_MS;
const MOST_REGISTRATIONS = 25;

/** The most accounts that the invites of one person register within a day. */
const MOST_A_DAY = 50;

/** Settings that decide whether invites to communities register accounts. */
export type InvitesContext = Pick<Context, 'settings' | 'clock'>;

interface Registering {
  readonly invite: StoredInvite;
  /** That of the invite; undefined if it is not there. */
  readonly community: KnownCommunity | undefined;
}

/** Checks whether somebody can register an account with an invite now. */
export async function mayRegister(
  db: Reader,
  { settings, clock }: InvitesContext,
  { invite, community }: Registering,
): Promise<boolean> {
  if (!settings.communityInvitesRegister || settings.registration === 'closed') return false;
  const { created_by: createdBy, community_id: communityId, registrations } = invite;
  const nowMs = clock.unixMs();
  if (createdBy === '' || !isUsable(invite, nowMs)) return false;
  const maker = await findActiveUser(db, createdBy);
  const member = await selectMember(db, communityId, createdBy);
  if (maker === undefined || member === undefined || community?.stored.deletedAtMs !== 0) {
    return false;
  }
  const mustWait = isEmptyMask(maker.staff_permissions) && community.stored.ownerId !== createdBy;
  if (mustWait && ageOf(maker.created_at_ms, nowMs) < LEAST_AGE_MS) return false;
  const { permissions } = accessOf({ clock }, { kind: 'account' }, { community, member });
  if (!hasPermission(PERMISSIONS, permissions, 'CREATE_INVITES')) return false;
  const isNew = nowMs - invite.created_at_ms < REGISTERS_MS && registrations < MOST_REGISTRATIONS;
  if (!isNew && !hasPermission(PERMISSIONS, permissions, 'MANAGE_INVITES')) return false;
  return (await registeredToday(db, createdBy, nowMs)).length < MOST_A_DAY;
}

/** When accounts were registered with the invites of a person within the last day, in Unix milliseconds. */
export async function registeredToday(
  db: Reader,
  makerId: Id,
  nowMs: number,
): Promise<readonly number[]> {
  const timesMs = await selectRegisteredAt(db, makerId);
  return timesMs.filter((atMs) => ageOf(atMs, nowMs) < DAY_MS);
}
