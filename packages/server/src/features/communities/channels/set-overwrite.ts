import {
  isSameMask,
  NotFoundError,
  hasPermission,
  PERMISSIONS,
  permissionsOf,
  ValidationError,
  type Channel,
  type Id,
  type OverwriteChange,
} from '@hearth/protocol';
import { MOST_OVERWRITES } from '@hearth/protocol/schemas';
import { tooMany } from '../../../too-many.ts';
import type { Account } from '../../../actor.ts';
import type { Transaction } from '../../../ports/database/database.ts';
import { raiseVersions } from '../../platform/turns/turns.ts';
import {
  channelIn,
  deleteOverwrite,
  describeChannel,
  describeOverwrite,
  upsertOverwrite,
  selectMember,
  type AccessContext,
  type KnownChannel,
  type MemberAccess,
} from '../structure/structure.ts';
import { changesOfOverwrites, requireGrants, rankOf, requireAbove } from '../roles/roles.ts';
import { changesOf, type Act } from '../audit/audit.ts';
import { givenOverwrite } from './channel-fields.ts';
import { inChannel } from './in-channel.ts';

interface OverwritePlace {
  readonly id: Id;
  /** The id of the role or of the user. */
  readonly subject_id: Id;
}

/**
 * Sets what a role or member is allowed and denied in a channel or category; nothing if it is set so. Throws NotFoundError if the
 * caller may not know that the channel exists, ValidationError for a role or member that the community does not have,
 * ConflictError for one overwrite too many, and ForbiddenError if the role or member is not below the caller, or for a permission
 * that the caller does not have.
 */
export async function setOverwrite(
  ctx: AccessContext,
  actor: Account,
  { id, subject_id: subjectId, ...change }: OverwritePlace & OverwriteChange,
): Promise<Channel> {
  const place = { actor, id, needs: 'MANAGE_CHANNELS' } as const;
  const after = await inChannel(ctx, place, async (tx, access) => {
    await requireSubject(tx, access, { id: subjectId, kind: change.kind });
    const { overwrites } = access.channel;
    const before = overwrites.find((each) => each.id === subjectId);
    if (before === undefined && overwrites.length >= MOST_OVERWRITES) {
      throw tooMany('overwrites', MOST_OVERWRITES);
    }
    const overwrite = givenOverwrite({ id: subjectId, ...change });
    // One of another kind has another id.
    const isSame =
      before !== undefined &&
      isSameMask(before.allow, overwrite.allow) &&
      isSameMask(before.deny, overwrite.deny);
    if (isSame) return undefined;
    const others = overwrites.filter((each) => each !== before);
    const after = [...others, overwrite];
    requireGrants(access, changesOfOverwrites(access.community, access.channel, after));
    await raiseVersions(tx.sql, [id]);
    await upsertOverwrite(tx.sql, id, overwrite);
    return (changed) =>
      overwriteAct('overwrite_set', subjectId, [access.channel, channelIn(changed, id)]);
  });
  return describeChannel(channelIn(after, id));
}

/** Removes an overwrite. Throws NotFoundError if there is none, and what {@link setOverwrite} throws. */
export async function removeOverwrite(
  ctx: AccessContext,
  actor: Account,
  { id, subject_id: subjectId }: OverwritePlace,
): Promise<Channel> {
  const place = { actor, id, needs: 'MANAGE_CHANNELS' } as const;
  const after = await inChannel(ctx, place, async (tx, access) => {
    const overwrite = access.channel.overwrites.find((each) => each.id === subjectId);
    if (overwrite === undefined) throw new NotFoundError();
    // Somebody who has left may still be named.
    await isBelow(tx, access, { id: subjectId, kind: overwrite.kind });
    const left = access.channel.overwrites.filter((each) => each !== overwrite);
    requireGrants(access, changesOfOverwrites(access.community, access.channel, left));
    await deleteOverwrite(tx.sql, id, subjectId);
    await raiseVersions(tx.sql, [id]);
    return (changed) =>
      overwriteAct('overwrite_delete', subjectId, [access.channel, channelIn(changed, id)]);
  });
  return describeChannel(channelIn(after, id));
}

function overwriteAct(
  action: 'overwrite_set' | 'overwrite_delete',
  subjectId: Id,
  states: readonly [before: KnownChannel, after: KnownChannel],
): Act {
  const [was, is] = states.map(({ overwrites }) => overwrites.find(({ id }) => id === subjectId));
  const kind = (is ?? was)?.kind === 'role' ? 'role' : 'user';
  const described = [was, is].map((each) => (each === undefined ? {} : describeOverwrite(each)));
  const [before = {}, after = {}] = described;
  // A channel that is restricted before or after the change is hidden from somebody.
  const isRestricted = states.some((state) => state.isRestricted);
  return {
    action,
    target: { kind, id: subjectId },
    channel: { id: states[1].id, isRestricted },
    changes: changesOf(before, after, ['id', 'kind']),
  };
}

/** A role or member whom an overwrite names. */
interface Subject {
  readonly id: Id;
  readonly kind: 'role' | 'member';
}

/** Throws ValidationError unless the community has the role or member, and ForbiddenError unless it is below the caller. */
export async function requireSubject(
  tx: Transaction,
  access: MemberAccess,
  subject: Subject,
): Promise<void> {
  if (await isBelow(tx, access, subject)) return;
  throw new ValidationError('id', `must be a ${subject.kind} of the community`);
}

/** False if the community has no such role or member. Throws ForbiddenError unless it is below the caller. */
export async function isBelow(
  tx: Transaction,
  access: MemberAccess,
  { id, kind }: Subject,
): Promise<boolean> {
  const { community, member } = access;
  if (kind === 'role') {
    const role = community.roleById.get(id);
    if (role === undefined) return false;
    if (role.position > 0) requireAbove(access, role.position);
    return true;
  }
  if (id === member.userId) return true;
  const other = await selectMember(tx.sql, community.stored.id, id);
  if (other === undefined) return false;
  const everything = permissionsOf({ kind: 'member', id, role_ids: other.roleIds }, community);
  const isStrong = hasPermission(PERMISSIONS, everything, 'ADMINISTRATOR');
  if (isStrong || other.roleIds.length > 0) {
    requireAbove(access, rankOf({ community, member: other }));
  }
  return true;
}
