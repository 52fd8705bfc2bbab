import type { Id, Permission } from '@hearth/protocol';
import type { Choices } from './choices.ts';
import type { Person } from './person.ts';
import type { Snapshot } from './snapshot.ts';

/** Those who are in the community, and its parts that never go. */
export interface Scene {
  readonly community: Id;
  readonly owner: Person;
  /** May kick and delete messages. */
  readonly moderator: Person;
  /** Who join and leave. */
  readonly others: readonly Person[];
  readonly roles: readonly Id[];
  readonly category: Id;
}

/** A request that changes who may see or do what. */
export interface Act {
  readonly by: Person;
  readonly method: string;
  readonly path: string;
  readonly body?: unknown;
}

const EVERYONE: readonly Permission[] = ['VIEW', 'SEND_MESSAGES', 'REACT', 'CHANGE_NICKNAME'];

/** What overwrites and roles do: nothing, most often about seeing. */
const CHANGES: readonly { readonly allow: Permission[]; readonly deny: Permission[] }[] = [
  { allow: ['VIEW'], deny: [] },
  { allow: ['VIEW', 'SEND_MESSAGES'], deny: [] },
  { allow: [], deny: ['VIEW'] },
  { allow: [], deny: ['SEND_MESSAGES'] },
];

const MOST_CHANNELS = 6;
const LEAST_CHANNELS = 3;

interface Choosing {
  readonly scene: Scene;
  readonly snapshot: Snapshot;
  readonly choices: Choices;
}

const KINDS: readonly ((choosing: Choosing) => Act | undefined)[] = [
  setRoles,
  setRoles,
  setOverwrite,
  setOverwrite,
  setOverwrite,
  removeOverwrite,
  removeOverwrite,
  changeRole,
  join,
  join,
  leave,
  removeMember,
  setBan,
  liftBan,
  addChannel,
  removeChannel,
];

/** Some change of the structure of the community or of its members. */
export function someAct(choosing: Choosing): Act {
  for (;;) {
    const act = choosing.choices.of(KINDS)(choosing);
    if (act !== undefined) return act;
  }
}

function setRoles({ scene, snapshot, choices }: Choosing): Act | undefined {
  const members = membersOf(scene, snapshot);
  if (members.length === 0) return undefined;
  const role_ids = scene.roles.filter(() => choices.onceIn(2));
  const path = `/communities/${scene.community}/members/${choices.of(members).id}`;
  return { by: scene.owner, method: 'PATCH', path, body: { role_ids } };
}

function setOverwrite({ scene, snapshot, choices }: Choosing): Act {
  const members = membersOf(scene, snapshot);
  const isOfMember = members.length > 0 && choices.onceIn(3);
  const subject = isOfMember
    ? choices.of(members).id
    : choices.of([scene.community, ...scene.roles]);
  const place = choices.of([...snapshot.channels, scene.category]);
  return {
    by: scene.owner,
    method: 'PUT',
    path: `/channels/${place}/overwrites/${subject}`,
    body: { kind: isOfMember ? 'member' : 'role', ...choices.of(CHANGES) },
  };
}

function removeOverwrite({ scene, snapshot, choices }: Choosing): Act | undefined {
  const channels = [...snapshot.community.channelById.values()];
  const all = channels.flatMap(({ id, overwrites }) =>
    overwrites.map((overwrite) => `/channels/${id}/overwrites/${overwrite.id}`),
  );
  if (all.length === 0) return undefined;
  return { by: scene.owner, method: 'DELETE', path: choices.of(all) };
}

function changeRole({ scene, choices }: Choosing): Act {
  const role = choices.of([scene.community, ...scene.roles]);
  const base = role === scene.community ? EVERYONE : [];
  const { allow, deny } = choices.of(CHANGES);
  const permissions = [...new Set([...base, ...allow])].filter((each) => !deny.includes(each));
  const path = `/communities/${scene.community}/roles/${role}`;
  return { by: scene.owner, method: 'PATCH', path, body: { permissions } };
}

function join({ scene, snapshot, choices }: Choosing): Act | undefined {
  const outside = scene.others.filter(({ id }) => !snapshot.isMember(id));
  if (outside.length === 0) return undefined;
  const by = choices.of(outside);
  return { by, method: 'PUT', path: `/communities/${scene.community}/members/me` };
}

function leave({ scene, snapshot, choices }: Choosing): Act | undefined {
  const members = membersOf(scene, snapshot);
  if (members.length < 2) return undefined;
  const by = choices.of(members);
  return { by, method: 'DELETE', path: `/communities/${scene.community}/members/me` };
}

function removeMember({ scene, snapshot, choices }: Choosing): Act | undefined {
  const members = membersOf(scene, snapshot);
  if (members.length < 2) return undefined;
  const path = `/communities/${scene.community}/members/${choices.of(members).id}`;
  return { by: scene.moderator, method: 'DELETE', path };
}

function setBan({ scene, snapshot, choices }: Choosing): Act | undefined {
  const members = membersOf(scene, snapshot);
  if (members.length < 3) return undefined;
  const path = `/communities/${scene.community}/bans/${choices.of(members).id}`;
  return { by: scene.owner, method: 'PUT', path, body: {} };
}

function liftBan({ scene, snapshot, choices }: Choosing): Act | undefined {
  const outside = scene.others.filter(({ id }) => !snapshot.isMember(id));
  if (outside.length === 0) return undefined;
  const path = `/communities/${scene.community}/bans/${choices.of(outside).id}`;
  return { by: scene.owner, method: 'DELETE', path };
}

function addChannel({ scene, snapshot, choices }: Choosing): Act | undefined {
  if (snapshot.channels.length >= MOST_CHANNELS) return undefined;
  const body = {
    kind: 'messages',
    name: `channel-${choices.below(1_000)}`,
    ...(choices.onceIn(2) && { category_id: scene.category }),
  };
  const path = `/communities/${scene.community}/channels`;
  return { by: scene.owner, method: 'POST', path, body };
}

function removeChannel({ scene, snapshot, choices }: Choosing): Act | undefined {
  if (snapshot.channels.length <= LEAST_CHANNELS) return undefined;
  return { by: scene.owner, method: 'DELETE', path: `/channels/${choices.of(snapshot.channels)}` };
}

function membersOf({ others }: Scene, snapshot: Snapshot): readonly Person[] {
  return others.filter(({ id }) => snapshot.isMember(id));
}
