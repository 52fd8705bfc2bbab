import {
  type Channel,
  type Community,
  type Id,
  type OwnCommunity,
  type Role,
} from '@hearth/protocol';
import type { ReceivedCommunityEvent } from '@hearth/protocol/received-communities';
import type { SdkClock } from '../clock.ts';
import type { Emitter } from '../emitter.ts';
import type { CommunityEvents, LeaveReason } from './events.ts';
import { KnownCommunity } from './known-community.ts';
import type { MyChannel, MyCommunity } from './my-community.ts';
import { Refresher } from './refresher.ts';
import { Timeouts } from './timeouts.ts';

/** The receivers of a store's reports, and the means to read communities again. */
export interface StoreOptions {
  readonly events: Emitter<CommunityEvents>;
  readonly clock: SdkClock;
  readonly random: () => number;
  readonly life: AbortSignal;
  readonly ownId: () => Id | undefined;
  readOwn(id: Id, signal: AbortSignal): Promise<OwnCommunity>;
  /** The membership in the community of these channels has ended, or another one has begun. */
  onForgotten(channelIds: readonly Id[]): void;
  /** A community whose stream has begun was read: its channels have messages that came before. */
  onBegun(channelIds: readonly Id[]): void;
}

/** The events that change communities. */
export type StructureEvent = Extract<
  ReceivedCommunityEvent,
  { op: `COMMUNITY_${string}` | `ROLE_${string}` | `CHANNEL_${string}` | `MEMBER_${string}` }
>;

/**
 * The communities of the person who is signed in, as READY showed them and events have changed them since. What events do not
 * show, the person's permissions, is read again after whatever may have changed them.
 */
export class CommunityStore {
  readonly #options: StoreOptions;
  readonly #known = new Map<Id, KnownCommunity>();
  readonly #communityOf = new Map<Id, Id>();
  readonly #timeouts: Timeouts;
  readonly #refresher: Refresher;
  /** The communities whose streams have begun, until they are read. */
  readonly #begun = new Set<Id>();
  /** Communities that were gone when they were read, before the event that says why. */
  readonly #unexplained = new Set<Id>();
  #isLoaded = false;

  constructor(options: StoreOptions) {
    this.#options = options;
    this.#timeouts = new Timeouts(options.clock, (id) => this.refresh(id));
    options.life.addEventListener('abort', () => this.#timeouts.clear(), { once: true });
    this.#refresher = new Refresher({
      ...options,
      read: (id, signal) => options.readOwn(id, signal),
      onRead: (own, newer) => this.#readAgain(own, newer),
      onGone: (id) => this.remove(id, undefined),
    });
  }

  /** True if the gateway has listed the communities. */
  get isLoaded(): boolean {
    return this.#isLoaded;
  }

  all(): readonly MyCommunity[] {
    return Array.from(this.#known.values(), ({ shown }) => shown);
  }

  get(id: Id): MyCommunity | undefined {
    return this.#known.get(id)?.shown;
  }

  channel(id: Id): MyChannel | undefined {
    return this.#ofChannel(id)?.channel(id);
  }

  /** The newest message of a channel, which may have been deleted. */
  lastId(channelId: Id): Id | undefined {
    return this.#ofChannel(channelId)?.lastId(channelId);
  }

  communityOf(channelId: Id): Id | undefined {
    return this.#communityOf.get(channelId);
  }

  /** All communities, as READY or `GET /users/me/communities` has them. */
  load(all: readonly OwnCommunity[]): void {
    this.#isLoaded = true;
    const ids = new Set(all.map(({ id }) => id));
    for (const id of Array.from(this.#known.keys())) if (!ids.has(id)) this.remove(id, undefined);
    for (const own of all) {
      // READY is newer than what was asked for before.
      this.#refresher.forget(own.id);
      const known = this.#known.get(own.id);
      known?.forgetDetails();
      if (known === undefined) this.#add(own);
      else this.#replace(known, own, new Set());
    }
  }

  /** A community that the person is a member of. If it is known, what is known may be newer, so it is read again. */
  put(own: OwnCommunity): MyCommunity {
    const known = this.#known.get(own.id);
    if (known === undefined) return this.#add(own).shown;
    this.#refresher.need(own.id);
    return known.shown;
  }

  /** Reads it again soon, because it may have changed. */
  refresh(id: Id | undefined): void {
    if (id !== undefined && this.#known.has(id)) this.#refresher.need(id);
  }

  /** The stream of a community begins. What has happened before that is read, if the person is a member. */
  begin(id: Id): void {
    this.#begun.add(id);
    this.#refresher.need(id);
  }

  remove(id: Id, reason: LeaveReason): void {
    const known = this.#known.get(id);
    if (known === undefined && (reason === undefined || !this.#unexplained.has(id))) return;
    if (reason === undefined) this.#unexplained.add(id);
    else this.#unexplained.delete(id);
    this.#known.delete(id);
    this.#begun.delete(id);
    this.#refresher.forget(id);
    this.#timeouts.forget(id);
    for (const channelId of known?.channelIds ?? []) this.#communityOf.delete(channelId);
    if (known !== undefined) this.#options.onForgotten([...known.channelIds]);
    this.#options.events.emit('communityRemoved', { id, reason });
  }

  /** Somebody else is signed in, or nobody. */
  clear(): void {
    for (const id of Array.from(this.#known.keys())) this.remove(id, 'signed_out');
    this.#unexplained.clear();
    this.#isLoaded = false;
  }

  apply(event: StructureEvent): void {
    switch (event.op) {
      case 'COMMUNITY_CREATE':
        this.put(event.d);
        return;
      case 'COMMUNITY_UPDATE':
        return this.putCommunity(event.d);
      case 'COMMUNITY_DELETE':
        return this.remove(event.d.id, 'deleted');
      case 'ROLE_CREATE':
      case 'ROLE_UPDATE':
        return this.putRole(event.d);
      case 'ROLE_DELETE':
        return this.removeRole(event.d);
      case 'CHANNEL_CREATE':
      case 'CHANNEL_UPDATE':
        return this.putChannel(event.d);
      case 'CHANNEL_DELETE':
        return this.removeChannel(event.d.id);
      case 'MEMBER_UPDATE':
        return this.#putMember(event.d);
      case 'MEMBER_LEAVE':
        return this.remove(event.d.community_id, event.d.reason);
    }
  }

  putCommunity(community: Community): void {
    const known = this.#known.get(community.id);
    if (known === undefined) return;
    const { ownerId } = known;
    if (!known.putCommunity(community)) return;
    // Owners have all permissions.
    if (ownerId !== community.owner_id) this.#refresher.need(known.id);
    this.#report(known);
  }

  putRole(role: Role): void {
    const known = this.#known.get(role.community_id);
    const before = known?.role(role.id);
    if (known?.putRole(role) !== true) return;
    this.#refresher.changed(known.id, role.id);
    if (known.hasRole(role.id) && !isSame(before?.permissions, role.permissions)) {
      this.#refresher.need(known.id);
    }
    this.#report(known);
  }

  removeRole({ id, community_id: communityId }: Pick<Role, 'id' | 'community_id'>): void {
    const known = this.#known.get(communityId);
    const wasMine = known !== undefined && known.hasRole(id);
    if (known?.removeRole(id) !== true) return;
    this.#refresher.changed(known.id, id);
    if (wasMine) this.#refresher.need(known.id);
    this.#report(known);
  }

  /** A channel that the person sees, as it is now. */
  putChannel(channel: Channel): void {
    const { id } = channel;
    const known = this.#known.get(channel.community_id);
    const before = known?.details(id);
    if (known?.putChannel(channel) !== true) return;
    this.#communityOf.set(id, known.id);
    this.#refresher.changed(known.id, id);
    const hadSame = before !== undefined && before.category_id === channel.category_id;
    if (!hadSame || !isSame(before.overwrites, channel.overwrites)) this.#refresher.need(known.id);
    this.#reportChannel(known, id);
  }

  /**
   * Puts a channel in the same way, but only as an answer to a request: what is not known any more is not added again.
   */
  putDetails(channel: Channel): void {
    const known = this.#known.get(channel.community_id);
    if (known?.channel(channel.id) === undefined || !known.putChannel(channel)) return;
    this.#refresher.changed(known.id, channel.id);
    this.#reportChannel(known, channel.id);
  }

  removeChannel(id: Id): void {
    const known = this.#ofChannel(id);
    if (known === undefined) return;
    this.#communityOf.delete(id);
    this.#refresher.changed(known.id, id);
    if (!known.removeChannel(id)) return;
    this.#options.events.emit('channelRemoved', { id, community_id: known.id });
  }

  /** A message was posted in a channel. Returns whether that is news. */
  posted(channelId: Id, id: Id): boolean {
    return this.#ofChannel(channelId)?.posted(channelId, id) === true;
  }

  #putMember(member: Extract<StructureEvent, { op: 'MEMBER_UPDATE' }>['d']): void {
    const known = this.#known.get(member.community_id);
    if (known === undefined || member.user.id !== this.#options.ownId()) return;
    if (!known.putMembership(member)) return;
    this.#refresher.need(known.id);
    this.#timeouts.watch(known.id, known.membership);
    this.#report(known);
  }

  #add(own: OwnCommunity): KnownCommunity {
    const known = new KnownCommunity(own);
    this.#known.set(own.id, known);
    this.#unexplained.delete(own.id);
    for (const id of known.channelIds) this.#communityOf.set(id, own.id);
    // What was read before belongs to a membership that has ended, even if it was noted later.
    this.#options.onForgotten([...known.channelIds]);
    this.#timeouts.watch(known.id, known.membership);
    this.#report(known);
    return known;
  }

  #readAgain(own: OwnCommunity, newer: ReadonlySet<Id>): void {
    const known = this.#known.get(own.id);
    if (known === undefined) this.#add(own);
    else this.#replace(known, own, newer);
    if (this.#begun.delete(own.id)) this.#options.onBegun(own.channels.map(({ id }) => id));
  }

  #replace(known: KnownCommunity, own: OwnCommunity, newer: ReadonlySet<Id>): void {
    const before = [...known.channelIds];
    const { joined_at: joinedAt } = known.membership;
    known.replace(own, newer);
    if (known.membership.joined_at !== joinedAt) this.#options.onForgotten(before);
    const after = new Set(known.channelIds);
    for (const id of before) {
      if (after.has(id)) continue;
      this.#communityOf.delete(id);
      this.#options.events.emit('channelRemoved', { id, community_id: known.id });
    }
    for (const id of after) this.#communityOf.set(id, known.id);
    this.#timeouts.watch(known.id, known.membership);
    this.#report(known);
  }

  #ofChannel(id: Id): KnownCommunity | undefined {
    const communityId = this.#communityOf.get(id);
    return communityId === undefined ? undefined : this.#known.get(communityId);
  }

  #report({ shown }: KnownCommunity): void {
    this.#options.events.emit('community', shown);
  }

  #reportChannel(known: KnownCommunity, id: Id): void {
    const channel = known.channel(id);
    if (channel !== undefined) this.#options.events.emit('channel', channel);
  }
}

/** Returns whether two lists of the wire say the same, in the same order. */
function isSame(one: unknown = [], other: unknown = []): boolean {
  return JSON.stringify(one) === JSON.stringify(other);
}
