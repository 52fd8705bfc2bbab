import type { Permission } from '@hearth/protocol';
import { ownerIn, type Act, type Choosing } from './scene.ts';

const EVERYONE: readonly Permission[] = ['VIEW', 'SEND_MESSAGES', 'REACT', 'CHANGE_NICKNAME'];

/** Changes by overwrites and roles: nothing, most often about seeing. */
const CHANGES: readonly { readonly allow: Permission[]; readonly deny: Permission[] }[] = [
  { allow: ['VIEW'], deny: [] },
  { allow: ['VIEW', 'SEND_MESSAGES'], deny: [] },
  { allow: [], deny: ['VIEW'] },
  { allow: [], deny: ['SEND_MESSAGES'] },
];

const MOST_ROLES = 4;

export function setOverwrite(choosing: Choosing): Act {
  const { scene, snapshot, choices } = choosing;
  const members = scene.others.filter(({ id }) => snapshot.isMember(id));
  const isOfMember = members.length > 0 && choices.onceIn(3);
  const subject = isOfMember
    ? choices.of(members).id
    : choices.of([scene.community, ...snapshot.roles]);
  const place = choices.of([...snapshot.channels, scene.category]);
  return {
    by: ownerIn(choosing),
    method: 'PUT',
    path: `/channels/${place}/overwrites/${subject}`,
    body: { kind: isOfMember ? 'member' : 'role', ...choices.of(CHANGES) },
  };
}

export function removeOverwrite(choosing: Choosing): Act | undefined {
  const { snapshot, choices } = choosing;
  const channels = [...snapshot.community.channelById.values()];
  const all = channels.flatMap(({ id, overwrites }) =>
    overwrites.map((overwrite) => `/channels/${id}/overwrites/${overwrite.id}`),
  );
  if (all.length === 0) return undefined;
  return { by: ownerIn(choosing), method: 'DELETE', path: choices.of(all) };
}

export function changeRole(choosing: Choosing): Act {
  const { scene, snapshot, choices } = choosing;
  const role = choices.of([scene.community, ...without(scene.moderators, snapshot.roles)]);
  const base = role === scene.community ? EVERYONE : [];
  const { allow, deny } = choices.of(CHANGES);
  const permissions = [...new Set([...base, ...allow])].filter((each) => !deny.includes(each));
  const path = `/communities/${scene.community}/roles/${role}`;
  return { by: ownerIn(choosing), method: 'PATCH', path, body: { permissions } };
}

export function addRole(choosing: Choosing): Act | undefined {
  const { scene, snapshot, choices } = choosing;
  if (snapshot.roles.length >= MOST_ROLES) return undefined;
  const body = { name: `role-${choices.below(1_000)}`, permissions: choices.of(CHANGES).allow };
  const path = `/communities/${scene.community}/roles`;
  return { by: ownerIn(choosing), method: 'POST', path, body };
}

export function removeRole(choosing: Choosing): Act | undefined {
  const { scene, snapshot, choices } = choosing;
  const roles = without(scene.moderators, snapshot.roles);
  if (roles.length < 2) return undefined;
  const path = `/communities/${scene.community}/roles/${choices.of(roles)}`;
  return { by: ownerIn(choosing), method: 'DELETE', path };
}

export function orderRoles(choosing: Choosing): Act {
  const { scene, snapshot } = choosing;
  const [first, ...rest] = snapshot.roles;
  const ids = first === undefined ? [] : [...rest, first];
  const path = `/communities/${scene.community}/roles/order`;
  return { by: ownerIn(choosing), method: 'PUT', path, body: { ids } };
}

export function changeCommunity(choosing: Choosing): Act {
  const { scene, choices } = choosing;
  const body = choices.onceIn(2)
    ? { name: `The park ${choices.below(1_000)}` }
    : { description: choices.onceIn(2) ? null : `Trees ${choices.below(1_000)}` };
  return { by: ownerIn(choosing), method: 'PATCH', path: `/communities/${scene.community}`, body };
}

export function changeVisibility(choosing: Choosing): Act {
  const { scene, snapshot, choices } = choosing;
  const body = snapshot.isPrivate
    ? { visibility: choices.of(['public', 'unlisted']), join: 'open' }
    : { visibility: 'private', join: 'invite' };
  return { by: ownerIn(choosing), method: 'PATCH', path: `/communities/${scene.community}`, body };
}

function without<Value>(left: Value, values: readonly Value[]): readonly Value[] {
  return values.filter((each) => each !== left);
}
