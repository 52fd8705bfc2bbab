import {
  compareIds,
  type Channel,
  type Community,
  type Id,
  type Member,
  type Membership,
  type OwnCommunity,
  type Permission,
  type Role,
} from '@hearth/protocol';
import { inOrder, type MyChannel, type MyCommunity } from './my-community.ts';

type StoredChannel = OwnCommunity['channels'][number];

/** The known state of one community, by id. Each change returns whether it was one: older versions are not. */
export class KnownCommunity {
  readonly id: Id;
  #community: Community;
  #membership: Membership;
  #permissions: ReadonlySet<Permission>;
  readonly #roles = new Map<Id, Role>();
  readonly #channels = new Map<Id, StoredChannel>();
  readonly #details = new Map<Id, Channel>();
  #shown: MyCommunity | undefined;

  constructor(own: OwnCommunity) {
    const { membership, permissions, roles, channels, ...community } = own;
    this.id = own.id;
    this.#community = community;
    this.#membership = membership;
    this.#permissions = new Set(permissions);
    for (const role of roles) this.#roles.set(role.id, role);
    for (const channel of channels) this.#channels.set(channel.id, channel);
  }

  /** As it is now; the same object until something changes. */
  get shown(): MyCommunity {
    this.#shown ??= {
      ...this.#community,
      membership: this.#membership,
      permissions: this.#permissions,
      roles: [...this.#roles.values()].toSorted(
        (one, other) => one.position - other.position || compareIds(one.id, other.id),
      ),
      channels: inOrder([...this.#channels.values()].map((channel) => this.#shownChannel(channel))),
    };
    return this.#shown;
  }

  get ownerId(): Id {
    return this.#community.owner_id;
  }

  get membership(): Membership {
    return this.#membership;
  }

  get channelIds(): Iterable<Id> {
    return this.#channels.keys();
  }

  channel(id: Id): MyChannel | undefined {
    return this.shown.channels.find((channel) => channel.id === id);
  }

  /** Returns whether the person has a role; everyone has the one with the id of the community. */
  hasRole(id: Id): boolean {
    return id === this.id || this.membership.role_ids.includes(id);
  }

  role(id: Id): Role | undefined {
    return this.#roles.get(id);
  }

  /** The whole of a channel, as far as it is known. */
  details(id: Id): Channel | undefined {
    return this.#details.get(id);
  }

  /** The newest message of a channel. */
  lastId(id: Id): Id | undefined {
    return this.#channels.get(id)?.last_id;
  }

  /** It was read again. What has changed since it was asked for, `newer`, stays as it is. */
  replace(own: OwnCommunity, newer: ReadonlySet<Id> = new Set()): void {
    const { membership, permissions, roles, channels, ...community } = own;
    // The number of members changes without a new version.
    this.#community =
      community.version < this.#community.version
        ? { ...this.#community, member_count: community.member_count }
        : community;
    if (!isOlder(membership, this.#membership)) this.#membership = membership;
    this.#permissions = new Set(permissions);
    const isKept = (id: Id) => newer.has(id);
    keepOnly(this.#roles, roles, isKept);
    for (const role of roles) if (!isKept(role.id)) this.putRole(role);
    keepOnly(this.#channels, channels, isKept);
    keepOnly(this.#details, channels, isKept);
    for (const channel of channels) this.#replaceChannel(channel, isKept(channel.id));
    this.#changed();
  }

  /** Forgets what is known of its channels besides the list, because it may be out of date. */
  forgetDetails(): void {
    this.#details.clear();
    this.#changed();
  }

  putCommunity(community: Community): boolean {
    if (community.version <= this.#community.version) return false;
    this.#community = community;
    return this.#changed();
  }

  putMembership({ user: _user, community_id: _community, ...membership }: Member): boolean {
    const { version, joined_at: joinedAt } = this.#membership;
    const isSame = membership.version === version && membership.joined_at === joinedAt;
    if (isSame || isOlder(membership, this.#membership)) return false;
    // A time-out that has ended is left out, and so is a nickname.
    this.#membership = membership;
    return this.#changed();
  }

  putRole(role: Role): boolean {
    const known = this.#roles.get(role.id);
    if (known !== undefined && role.version <= known.version) return false;
    this.#roles.set(role.id, role);
    return this.#changed();
  }

  removeRole(id: Id): boolean {
    if (!this.#roles.delete(id)) return false;
    const roleIds = this.#membership.role_ids.filter((each) => each !== id);
    this.#membership = { ...this.#membership, role_ids: roleIds };
    return this.#changed();
  }

  putChannel(channel: Channel): boolean {
    const { id } = channel;
    const details = this.#details.get(id);
    if (details !== undefined && channel.version <= details.version) return false;
    const known = this.#channels.get(id);
    const lastId = newest(known?.last_id, channel.last_id);
    const stub = stubOf(channel);
    this.#details.set(id, channel);
    this.#channels.set(id, {
      ...stub,
      ...(lastId && { last_id: lastId }),
      ...(known?.permissions && { permissions: known.permissions }),
    });
    return this.#changed();
  }

  removeChannel(id: Id): boolean {
    this.#details.delete(id);
    return this.#channels.delete(id) && this.#changed();
  }

  /** A message was posted. Returns whether it is the newest. */
  posted(channelId: Id, id: Id): boolean {
    const channel = this.#channels.get(channelId);
    if (channel === undefined) return false;
    if (channel.last_id !== undefined && compareIds(id, channel.last_id) <= 0) return false;
    this.#channels.set(channelId, { ...channel, last_id: id });
    return this.#changed();
  }

  #shownChannel({ permissions, ...stub }: StoredChannel): MyChannel {
    return {
      ...stub,
      community_id: this.id,
      permissions: permissions === undefined ? this.#permissions : new Set(permissions),
      details: this.#details.get(stub.id),
    };
  }

  #replaceChannel(channel: StoredChannel, isNewer: boolean): void {
    const known = this.#channels.get(channel.id);
    // It was removed meanwhile.
    if (isNewer && known === undefined) return;
    const { permissions: _before, ...stub } = isNewer && known !== undefined ? known : channel;
    const lastId = newest(known?.last_id, channel.last_id);
    this.#channels.set(channel.id, {
      ...stub,
      ...(lastId && { last_id: lastId }),
      ...(channel.permissions && { permissions: channel.permissions }),
    });
  }

  #changed(): true {
    this.#shown = undefined;
    return true;
  }
}

/** Returns whether a membership is older than another one. The versions of one that began later start again. */
function isOlder(one: Membership, other: Membership): boolean {
  return one.joined_at === other.joined_at
    ? one.version < other.version
    : one.joined_at < other.joined_at;
}

function stubOf(channel: Channel): StoredChannel {
  const { id, kind, name, category_id, position, restricted } = channel;
  return {
    id,
    kind,
    name,
    position,
    ...(category_id && { category_id }),
    ...(restricted && { restricted }),
  };
}

function keepOnly(
  all: Map<Id, unknown>,
  kept: readonly { readonly id: Id }[],
  isKept: (id: Id) => boolean,
): void {
  const ids = new Set(kept.map(({ id }) => id));
  for (const id of all.keys()) if (!ids.has(id) && !isKept(id)) all.delete(id);
}

function newest(one: Id | undefined, other: Id | undefined): Id | undefined {
  if (one === undefined || other === undefined) return one ?? other;
  return compareIds(one, other) < 0 ? other : one;
}
