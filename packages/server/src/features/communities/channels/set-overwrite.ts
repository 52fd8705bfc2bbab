import {
  ConflictError,
  isSameMask,
  NotFoundError,
  type Channel,
  type Id,
  type OverwriteChange,
} from '@hearth/protocol';
import { MOST_OVERWRITES } from '@hearth/protocol/schemas';
import type { Account } from '../../../actor.ts';
import {
  channelIn,
  deleteOverwrite,
  describeChannel,
  describeOverwrite,
  upsertOverwrite,
  type AccessContext,
  type KnownChannel,
} from '../structure/structure.ts';
import { raiseVersions } from '../../platform/turns/turns.ts';
import { changesOfOverwrites, requireGrants } from '../roles/roles.ts';
import { givenOverwrite } from './channel-fields.ts';
import { changesOf, type Act } from '../audit/audit.ts';
import { inChannel } from './in-channel.ts';
import { isBelow, requireSubject } from './require-subject.ts';

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
      throw new ConflictError(
        { code: 'too_many', field_name: 'overwrites' },
        { most: MOST_OVERWRITES },
      );
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
