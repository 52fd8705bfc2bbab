import {
  channelSightOf,
  PERMISSIONS,
  readPermissions,
  type Channel,
  type Id,
  type Member,
  type Overwrite,
} from '@hearth/protocol';
import type { MyCommunity } from '@hearth/sdk';
import { nameOfMember } from './names.ts';

/** The people who see a channel, besides the owner and administrators. */
export interface VisibleTo {
  /** True if members without a role see it. */
  readonly isForEveryone: boolean;
  /** The roles, and the members on their own, who see it although not everyone does. */
  readonly also: readonly string[];
  /** The roles and members who do not see it although others like them do. */
  readonly except: readonly string[];
}

interface SeenChannel {
  readonly channel: Pick<Channel, 'overwrites'>;
  readonly category: Pick<Channel, 'overwrites'> | undefined;
  /** Members whom the overwrites name. */
  readonly members: readonly Pick<Member, 'user' | 'nickname' | 'role_ids'>[];
}

/** Returns who sees a channel. */
export function visibleTo(
  community: Pick<MyCommunity, 'id' | 'owner_id' | 'visibility' | 'roles'>,
  { channel, category, members }: SeenChannel,
): VisibleTo {
  const levels = [maskedOf(category), maskedOf(channel)];
  const sighted = {
    ...community,
    is_deleted: false,
    roles: new Map(
      community.roles.map((role) => [role.id, readPermissions(PERMISSIONS, role.permissions)]),
    ),
  };
  const sees = (roleIds: readonly Id[], id = '') => {
    const viewer = { kind: 'member', id, role_ids: roleIds } as const;
    return channelSightOf(viewer, sighted, levels).follows;
  };
  const isForEveryone = sees([]);
  const roles = community.roles.filter(({ id }) => id !== community.id);
  const byRole = (isSeen: boolean) =>
    roles.filter(({ id }) => sees([id]) === isSeen).map(({ name }) => name);
  // What differs from what the roles alone would say.
  const byThemselves = (isSeen: boolean) =>
    members
      .filter(({ user, role_ids: ids }) => sees(ids, user.id) === isSeen && sees(ids) !== isSeen)
      .map(nameOfMember);
  return {
    isForEveryone,
    also: [...(isForEveryone ? [] : byRole(true)), ...byThemselves(true)],
    except: [...(isForEveryone ? byRole(false) : []), ...byThemselves(false)],
  };
}

function maskedOf(channel: Pick<Channel, 'overwrites'> | undefined): readonly Overwrite[] {
  return (channel?.overwrites ?? []).map(({ id, kind, allow, deny }) => ({
    id,
    kind,
    allow: readPermissions(PERMISSIONS, allow),
    deny: readPermissions(PERMISSIONS, deny),
  }));
}
