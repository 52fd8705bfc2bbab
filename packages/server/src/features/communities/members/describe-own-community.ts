import {
  sightOf,
  isSameMask,
  permissionNames,
  PERMISSIONS,
  NotFoundError,
  type Id,
  type OwnChannel,
  type OwnCommunity,
  type Permission,
  type PermissionMask,
} from '@hearth/protocol';
import type { Account } from '../../../actor.ts';
import type { Context } from '../../../context.ts';
import type { Reader } from '../../../ports/database/database.ts';
import {
  describeCommunity,
  describeRole,
  describeStub,
  permissionsIn,
  accessOf,
  readCommunity,
  selectMember,
  type Access,
  type StoredMember,
} from '../structure/structure.ts';
import { describeMembership } from './describe-member.ts';

interface Newer {
  /** The newest messages of channels, by the ids of the channels. */
  readonly lastIds: ReadonlyMap<Id, Id>;
  readonly nowMs: number;
}

/** A community as one of its members is shown it, with the channels that they see. */
export function describeOwnCommunity(
  access: Access & { readonly member: StoredMember },
  { lastIds, nowMs }: Newer,
): OwnCommunity {
  const { community, member, permissions } = access;
  const channels = community.channelById.values().flatMap((channel): OwnChannel[] => {
    // Most channels have no overwrites, and READY describes a thousand of them.
    const isUsual = channel.levels.every((level) => level.length === 0);
    const inChannel = isUsual ? permissions : permissionsIn(access, channel);
    if (!sightOf(community, member.userId, inChannel).reads) return [];
    const lastId = lastIds.get(channel.id) ?? channel.lastId;
    const stub = describeStub({ ...channel, lastId });
    return [isSameMask(inChannel, permissions) ? stub : { ...stub, permissions: named(inChannel) }];
  });
  return {
    ...describeCommunity(community.stored),
    membership: describeMembership(member, nowMs),
    permissions: named(permissions),
    roles: Array.from(community.roleById.values(), describeRole),
    channels: [...channels],
  };
}

function named(mask: PermissionMask<Permission>): Permission[] {
  return [...permissionNames(PERMISSIONS, mask)];
}

/** A community of the caller, as it is in a transaction. Throws NotFoundError if they are not a member. */
export async function findOwnCommunity(
  db: Reader,
  ctx: Pick<Context, 'clock'>,
  { actor, id }: { readonly actor: Pick<Account, 'kind' | 'user_id'>; readonly id: Id },
): Promise<OwnCommunity> {
  const community = await readCommunity(db, id);
  const member = await selectMember(db, id, actor.user_id);
  if (community === undefined || member === undefined) throw new NotFoundError();
  const access = accessOf(ctx, actor, { community, member });
  const nowMs = ctx.clock.unixMs();
  return describeOwnCommunity({ ...access, member }, { lastIds: new Map(), nowMs });
}
