import {
  ConflictError,
  hasPermission,
  NotFoundError,
  PERMISSIONS,
  permissionsOf,
  ValidationError,
  type Channel,
  type Id,
  type OverwriteChange,
} from '@hearth/protocol';
import { MOST_OVERWRITES } from '@hearth/protocol/schemas';
import type { User } from '../../actor.ts';
import type { EmittingTransaction } from '../../ports/outbox/outbox.ts';
import type { CommunityContext } from '../communities/community-context.ts';
import { channelIn, type KnownChannel } from '../communities/known-communities.ts';
import { readMember } from '../members/read-member.ts';
import { rankOf, requireAbove } from '../roles/rank.ts';
import { grantableOverwrite } from './channel-fields.ts';
import type { Act } from '../audit/audit.ts';
import { changesOf } from '../audit/changes-of.ts';
import { describeChannel, describeOverwrite } from './describe-channel.ts';
import { inChannel, type MemberChannelAccess } from './in-channel.ts';
import { deleteOverwrite, touchChannel, upsertOverwrite } from './store.ts';

interface OverwritePlace {
  readonly id: Id;
  /** The id of the role or of the user. */
  readonly subject_id: Id;
}

/**
 * Sets what a role or member is allowed and denied in a channel or category. Throws NotFoundError if the caller may not know
 * that the channel exists, ValidationError for a role or member that the community does not have, ConflictError for one
 * overwrite too many, and ForbiddenError if the role or member is not below the caller, or for a permission that the caller
 * does not have.
 */
export async function setOverwrite(
  ctx: CommunityContext,
  actor: User,
  { id, subject_id: subjectId, ...change }: OverwritePlace & OverwriteChange,
): Promise<Channel> {
  const place = { actor, id, needs: 'MANAGE_CHANNELS' } as const;
  const after = await inChannel(ctx, place, async (tx, access) => {
    await requireSubject(tx, access, { id: subjectId, kind: change.kind });
    const others = access.channel.overwrites.filter((each) => each.id !== subjectId);
    if (others.length >= MOST_OVERWRITES) {
      const error = `are at most ${MOST_OVERWRITES}`;
      throw new ConflictError({ code: 'too_many', field_name: 'overwrites', error });
    }
    await upsertOverwrite(tx.sql, id, grantableOverwrite(access, subjectId, change));
    await touchChannel(tx.sql, id);
    return (changed) =>
      overwriteAct('overwrite_set', subjectId, [access.channel, channelIn(changed, id)]);
  });
  return describeChannel(channelIn(after, id));
}

/** Removes an overwrite. Throws NotFoundError if there is none, and what {@link setOverwrite} throws. */
export async function removeOverwrite(
  ctx: CommunityContext,
  actor: User,
  { id, subject_id: subjectId }: OverwritePlace,
): Promise<Channel> {
  const place = { actor, id, needs: 'MANAGE_CHANNELS' } as const;
  const after = await inChannel(ctx, place, async (tx, access) => {
    const overwrite = access.channel.overwrites.find((each) => each.id === subjectId);
    if (overwrite === undefined) throw new NotFoundError();
    await requireSubject(tx, access, { id: subjectId, kind: overwrite.kind });
    await deleteOverwrite(tx.sql, id, subjectId);
    await touchChannel(tx.sql, id);
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

/** Throws ValidationError unless the community has the role or member, and ForbiddenError unless it is below the caller. */
async function requireSubject(
  tx: EmittingTransaction,
  access: MemberChannelAccess,
  { id, kind }: { readonly id: Id; readonly kind: 'role' | 'member' },
): Promise<void> {
  const { community, member } = access;
  if (kind === 'role') {
    const role = community.roleById.get(id);
    if (role === undefined) throw new ValidationError('id', 'must be a role of the community');
    if (role.position > 0) requireAbove(access, role.position);
    return;
  }
  if (id === member.userId) return;
  const other = await readMember(tx.sql, community.stored.id, id);
  if (other === undefined) throw new ValidationError('id', 'must be a member of the community');
  const everything = permissionsOf({ kind: 'member', id, role_ids: other.roleIds }, community);
  const isStrong = hasPermission(PERMISSIONS, everything, 'ADMINISTRATOR');
  if (isStrong || other.roleIds.length > 0) {
    requireAbove(access, rankOf({ community, member: other }));
  }
}
