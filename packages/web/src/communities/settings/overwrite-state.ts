import type { Permission, WrittenOverwrite } from '@hearth/protocol';

/** The state of a permission in an overwrite. */
export type OverwriteState = 'allow' | 'inherit' | 'deny';

/** Returns what an overwrite says of a permission; `inherit` if it says nothing. */
export function stateOf(
  { allow, deny }: Pick<WrittenOverwrite, 'allow' | 'deny'>,
  permission: Permission,
): OverwriteState {
  if (allow.includes(permission)) return 'allow';
  return deny.includes(permission) ? 'deny' : 'inherit';
}

/** The overwrite with another state of a permission. */
export function withState(
  overwrite: WrittenOverwrite,
  permission: Permission,
  state: OverwriteState,
): WrittenOverwrite {
  const others = (list: readonly Permission[]) => list.filter((each) => each !== permission);
  const allow = others(overwrite.allow);
  const deny = others(overwrite.deny);
  return {
    ...overwrite,
    allow: state === 'allow' ? [...allow, permission] : allow,
    deny: state === 'deny' ? [...deny, permission] : deny,
  };
}
