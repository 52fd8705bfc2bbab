import {
  hasPermission,
  PERMISSIONS,
  permissionsOf,
  type Id,
  type Permission,
} from '@hearth/protocol';
import { isModerator } from '../../../src/features/communities/structure/moderating.ts';
import { readCommunity } from '../../../src/features/communities/structure/known-communities.ts';
import type { KnownCommunity } from '../../../src/features/communities/structure/known-community.ts';
import type { StoredMember } from '../../../src/features/communities/structure/member-store.ts';
import { selectMember } from '../../../src/features/communities/structure/member-store.ts';
import type { Database } from '../../../src/ports/database/database.ts';

/** The rows that decide who may see and do what, as the database has them at a moment at which nobody changes them. */
export class Snapshot {
  readonly community: KnownCommunity;
  readonly #members: ReadonlyMap<Id, StoredMember>;

  private constructor(community: KnownCommunity, members: ReadonlyMap<Id, StoredMember>) {
    this.community = community;
    this.#members = members;
  }

  static async read(
    { reader }: Pick<Database, 'reader'>,
    id: Id,
    people: readonly Id[],
  ): Promise<Snapshot> {
    const community = await readCommunity(reader, id);
    if (community === undefined) throw new Error('the community is gone');
    const members = new Map<Id, StoredMember>();
    for (const person of people) {
      const member = await selectMember(reader, id, person);
      if (member !== undefined) members.set(person, member);
    }
    return new Snapshot(community, members);
  }

  get owner(): Id {
    return this.community.stored.ownerId;
  }

  get isPrivate(): boolean {
    return this.community.stored.visibility === 'private';
  }

  /** The roles but the everyone role, the weakest first. */
  get roles(): readonly Id[] {
    return [...this.community.roleById.keys()].filter((id) => id !== this.community.id);
  }

  /** The channels that hold messages. */
  get channels(): readonly Id[] {
    const all = [...this.community.channelById.values()];
    return all.filter(({ kind }) => kind === 'messages').map(({ id }) => id);
  }

  isMember(person: Id): boolean {
    return this.#members.has(person);
  }

  /** Returns whether somebody may know of the community. */
  sees(person: Id): boolean {
    return this.isMember(person) || !this.isPrivate;
  }

  /** The channels and categories that somebody sees and follows: visitors follow none that is restricted. */
  followedBy(person: Id): readonly Id[] {
    const all = [...this.community.channelById.values()];
    const followed = all.filter(({ isRestricted }) => this.isMember(person) || !isRestricted);
    return followed.map(({ id }) => id).filter((id) => this.mayRead(person, id));
  }

  /** Returns whether a member may do something in a channel. */
  may(person: Id, permission: Permission, channelId: Id): boolean {
    if (!this.community.channelById.has(channelId) || !this.isMember(person)) return false;
    return hasPermission(PERMISSIONS, this.#permissions(person, channelId), permission);
  }

  /** Returns whether somebody may read a channel; also somebody who is no member, if the community is public. */
  mayRead(person: Id, channelId: Id): boolean {
    if (!this.community.channelById.has(channelId) || !this.sees(person)) return false;
    return hasPermission(PERMISSIONS, this.#permissions(person, channelId), 'VIEW');
  }

  /** The streams of the community that somebody follows who watches it. */
  streamsOf(person: Id): readonly string[] {
    const { id, channelById } = this.community;
    if (!this.isMember(person)) return this.isPrivate ? [] : [`c:${id}`];
    const restricted = [...channelById.values()].filter((channel) => channel.isRestricted);
    const roleIds = this.#members.get(person)?.roleIds ?? [];
    return [
      `c:${id}`,
      ...(isModerator(this.community, { userId: person, roleIds }) ? [`m:${id}`] : []),
      ...restricted
        .filter((channel) => this.may(person, 'VIEW', channel.id))
        .map((channel) => `r:${channel.id}`),
    ].toSorted();
  }

  #permissions(person: Id, channelId: Id) {
    const levels = this.community.channelById.get(channelId)?.levels ?? [];
    const member = this.#members.get(person);
    const viewer =
      member === undefined
        ? ({ kind: 'visitor' } as const)
        : ({
            kind: 'member',
            id: person,
            role_ids: member.roleIds,
            is_timed_out: member.timedOutUntilMs > Date.now(),
          } as const);
    return permissionsOf(viewer, this.community, levels);
  }
}
