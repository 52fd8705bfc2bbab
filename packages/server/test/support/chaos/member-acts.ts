import { PASSWORD } from '@hearth/testing/instances/test-accounts';
import { ownerIn, type Act, type Choosing, type Scene } from './scene.ts';
import type { Person } from './person.ts';
import type { Snapshot } from './snapshot.ts';

const HOUR_MS = 3_600_000;

export function setRoles(choosing: Choosing): Act | undefined {
  const { scene, snapshot, choices } = choosing;
  const members = membersOf(scene, snapshot);
  if (members.length === 0) return undefined;
  const role_ids = snapshot.roles.filter(() => choices.onceIn(2));
  const path = `/communities/${scene.community}/members/${choices.of(members).id}`;
  return { by: ownerIn(choosing), method: 'PATCH', path, body: { role_ids } };
}

export function setNickname(choosing: Choosing): Act | undefined {
  const { scene, snapshot, choices } = choosing;
  const members = membersOf(scene, snapshot);
  if (members.length === 0) return undefined;
  const path = `/communities/${scene.community}/members/${choices.of(members).id}`;
  const nickname = choices.onceIn(3) ? null : `nick ${choices.below(1_000)}`;
  return { by: ownerIn(choosing), method: 'PATCH', path, body: { nickname } };
}

/** A time-out, or its end. None is over while the test runs. */
export function setTimeOut({ scene, snapshot, choices }: Choosing): Act | undefined {
  const members = membersOf(scene, snapshot);
  if (members.length === 0) return undefined;
  const path = `/communities/${scene.community}/members/${choices.of(members).id}`;
  const timed_out_until = choices.onceIn(2) ? null : Date.now() + HOUR_MS;
  return { by: scene.moderator, method: 'PATCH', path, body: { timed_out_until } };
}

export function join({ scene, snapshot, choices }: Choosing): Act | undefined {
  const outside = scene.others.filter(({ id }) => !snapshot.isMember(id));
  if (outside.length === 0) return undefined;
  const by = choices.of(outside);
  if (snapshot.isPrivate || choices.onceIn(4)) {
    return { by, method: 'POST', path: `/invites/${scene.invite}` };
  }
  return { by, method: 'PUT', path: `/communities/${scene.community}/members/me` };
}

export function leave({ scene, snapshot, choices }: Choosing): Act | undefined {
  const members = membersOf(scene, snapshot);
  if (members.length < 2) return undefined;
  const by = choices.of(members);
  return { by, method: 'DELETE', path: `/communities/${scene.community}/members/me` };
}

export function removeMember({ scene, snapshot, choices }: Choosing): Act | undefined {
  const members = membersOf(scene, snapshot);
  if (members.length < 2) return undefined;
  const path = `/communities/${scene.community}/members/${choices.of(members).id}`;
  return { by: scene.moderator, method: 'DELETE', path };
}

/** A ban, which may remove what was posted. */
export function setBan(choosing: Choosing): Act | undefined {
  const { scene, snapshot, choices } = choosing;
  const members = membersOf(scene, snapshot);
  if (members.length < 3) return undefined;
  const banned = choices.of(members);
  const path = `/communities/${scene.community}/bans/${banned.id}`;
  const act = { by: ownerIn(choosing), method: 'PUT', path };
  if (choices.onceIn(2)) return { ...act, body: {} };
  return { ...act, body: { delete_seconds: 3_600 }, removes: banned };
}

export function liftBan(choosing: Choosing): Act | undefined {
  const { scene, snapshot, choices } = choosing;
  const outside = scene.others.filter(({ id }) => !snapshot.isMember(id));
  if (outside.length === 0) return undefined;
  const path = `/communities/${scene.community}/bans/${choices.of(outside).id}`;
  return { by: ownerIn(choosing), method: 'DELETE', path };
}

/** The community is handed over, and back when it is one of the others'. */
export function handOver(choosing: Choosing): Act | undefined {
  const { scene, snapshot, choices } = choosing;
  const owner = ownerIn(choosing);
  const members = membersOf(scene, snapshot);
  if (owner === scene.founder && members.length === 0) return undefined;
  const { id } = owner === scene.founder ? choices.of(members) : scene.founder;
  const body = { user_id: id, current_password: PASSWORD };
  return { by: owner, method: 'PUT', path: `/communities/${scene.community}/owner`, body };
}

/** Returns the others who are members. Some are the owner at times. */
function membersOf({ others }: Scene, snapshot: Snapshot): readonly Person[] {
  return others.filter(({ id }) => snapshot.isMember(id) && id !== snapshot.owner);
}
