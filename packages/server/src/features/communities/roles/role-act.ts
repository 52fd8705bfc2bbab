import { NotFoundError, type Id } from '@hearth/protocol';
import { changesOf, type Act } from '../audit/audit.ts';
import { describeRole, type StoredRole, type KnownCommunity } from '../structure/structure.ts';

/** Returns what the audit log says of a change of a role, which is there before the change, after it, or both. */
export function roleAct(
  action: 'role_create' | 'role_update' | 'role_delete',
  ...states: readonly [StoredRole | undefined, StoredRole?]
): Act {
  const [before, after] = states;
  const role = after ?? before;
  const described = states.map((state) => (state === undefined ? {} : describeRole(state)));
  const [was = {}, is = {}] = described;
  return {
    action,
    ...(role !== undefined && { target: { kind: 'role', id: role.id, name: role.name } as const }),
    changes: changesOf(was, is, ['id', 'community_id', 'position']),
  };
}

/** A role of a community. Throws NotFoundError if it has no such role. */
export function findRole({ roleById }: Pick<KnownCommunity, 'roleById'>, id: Id): StoredRole {
  const role = roleById.get(id);
  if (role === undefined) throw new NotFoundError();
  return role;
}
