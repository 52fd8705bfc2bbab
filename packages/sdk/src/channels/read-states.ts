import {
  compareIds,
  firstMark,
  MOST_COUNTED_MENTIONS,
  type Id,
  type NotificationSetting,
  type ReadState,
} from '@hearth/protocol';
import type { CommunityEvents, ReadMark } from '../communities/events.ts';
import type { CommunityStore } from '../communities/store.ts';
import type { Emitter } from '../emitter.ts';

/** The parts on which read states depend, and the listeners. */
export interface ReadStatesOptions {
  readonly events: Emitter<CommunityEvents>;
  readonly store: Pick<CommunityStore, 'channel' | 'lastId' | 'get'>;
}

/** The state of one channel. */
interface Known {
  /** The state as the instance sent it. */
  readonly state: ReadState | undefined;
  /** The message up to which was read here, until the instance says so too. */
  readonly aheadId: Id | undefined;
  readonly mentions: number;
  /** The messages after the mark that were counted because they came. */
  readonly counted: ReadonlySet<Id>;
}

const NOTHING: Known = { state: undefined, aheadId: undefined, mentions: 0, counted: new Set() };

/** The read marks of the person who is signed in, and what they want to be notified of. */
export class ReadStates {
  readonly #options: ReadStatesOptions;
  readonly #known = new Map<Id, Known>();
  readonly #settings = new Map<Id, NotificationSetting>();

  constructor(options: ReadStatesOptions) {
    this.#options = options;
  }

  /** Returns how far a channel was read. */
  of(channelId: Id): ReadMark {
    const { store } = this.#options;
    const known = this.#known.get(channelId) ?? NOTHING;
    const readId = markOf(known);
    const lastId = store.lastId(channelId);
    const isUnread =
      lastId !== undefined && compareIds(lastId, readId ?? this.#joinedId(channelId)) > 0;
    const mentions = isUnread ? known.mentions : 0;
    return { channel_id: channelId, last_read_id: readId, isUnread, mentions };
  }

  /** Returns what was chosen for a community or a channel. */
  setting(id: Id): NotificationSetting | undefined {
    return this.#settings.get(id);
  }

  load(states: readonly ReadState[], settings: readonly NotificationSetting[]): void {
    const before = [...this.#known.keys()];
    this.#known.clear();
    for (const state of states) {
      this.#known.set(state.channel_id, { ...NOTHING, state, mentions: state.mentions });
    }
    this.#settings.clear();
    for (const setting of settings) this.#settings.set(placeOf(setting), setting);
    for (const id of new Set([...before, ...this.#known.keys()])) this.#report(id);
  }

  /** They were read again. */
  update(states: readonly ReadState[]): void {
    for (const state of states) this.read(state);
  }

  /** These channels are no longer the person's own. */
  forget(channelIds: readonly Id[]): void {
    for (const id of channelIds) {
      this.#known.delete(id);
      this.#settings.delete(id);
    }
  }

  clear(): void {
    this.load([], []);
  }

  /** The instance says that this was read. */
  read(state: ReadState): void {
    const { channel_id: id, last_read_id: readId, mentions } = state;
    const known = this.#known.get(id) ?? NOTHING;
    const { aheadId } = known;
    // It is about an earlier mark of this client.
    const isBehind = aheadId !== undefined && compareIds(readId, aheadId) < 0;
    const upTo = isBehind ? aheadId : readId;
    const counted = after(known.counted, upTo);
    this.#known.set(id, {
      state,
      aheadId: isBehind ? aheadId : undefined,
      mentions: isBehind ? counted.size : Math.max(mentions, counted.size),
      counted,
    });
    this.#report(id);
  }

  /** The instance has set this, also if it goes back. */
  set(state: ReadState): void {
    const { channel_id: id, mentions } = state;
    this.#known.set(id, { ...NOTHING, state, mentions });
    this.#report(id);
  }

  /** The person has read this far here. Returns whether that is news. */
  readHere(channelId: Id, id: Id): boolean {
    const known = this.#known.get(channelId) ?? NOTHING;
    const readId = markOf(known);
    if (readId !== undefined && compareIds(id, readId) <= 0) return false;
    const counted = after(known.counted, id);
    this.#known.set(channelId, { ...known, aheadId: id, counted, mentions: counted.size });
    this.#report(channelId);
    return true;
  }

  /** The instance has taken the mark `id`. */
  taken(id: Id, state: ReadState): void {
    const known = this.#known.get(state.channel_id);
    if (known?.aheadId === id) this.#known.set(state.channel_id, { ...known, aheadId: undefined });
    this.read(state);
  }

  /** The instance has not taken the mark. */
  notRead(channelId: Id): void {
    const known = this.#known.get(channelId);
    if (known === undefined) return;
    const mentions = Math.max(known.state?.mentions ?? 0, known.counted.size);
    this.#known.set(channelId, { ...known, aheadId: undefined, mentions });
    this.#report(channelId);
  }

  /** A message was posted in a channel, after what was known. */
  posted(channelId: Id, { id, isMention, isOwn }: Posted): void {
    const known = this.#known.get(channelId) ?? NOTHING;
    const readId = markOf(known) ?? this.#joinedId(channelId);
    if (compareIds(id, readId) <= 0) return;
    if (isOwn) {
      // The instance sets the mark by itself.
      const state = { channel_id: channelId, last_read_id: id, mentions: 0 };
      this.#known.set(channelId, { ...NOTHING, state });
    } else if (isMention && !known.counted.has(id)) {
      const counted = new Set([...known.counted, id].slice(-MOST_COUNTED_MENTIONS));
      const mentions = Math.min(known.mentions + 1, MOST_COUNTED_MENTIONS);
      this.#known.set(channelId, { ...known, counted, mentions });
    }
    this.#report(channelId);
  }

  /** Messages were deleted. */
  deleted(channelId: Id, ids: readonly Id[]): void {
    const known = this.#known.get(channelId);
    const gone = known === undefined ? [] : ids.filter((id) => known.counted.has(id));
    if (known === undefined || gone.length === 0) return;
    const counted = new Set([...known.counted].filter((id) => !gone.includes(id)));
    const mentions = Math.max(0, known.mentions - gone.length);
    this.#known.set(channelId, { ...known, counted, mentions });
    this.#report(channelId);
  }

  chosen(setting: NotificationSetting): void {
    this.#settings.set(placeOf(setting), setting);
    this.#options.events.emit('notificationSetting', setting);
  }

  /** Returns the id up to which everything is older than the membership, and counts as read. */
  #joinedId(channelId: Id): Id {
    const { store } = this.#options;
    const communityId = store.channel(channelId)?.community_id;
    const community = communityId === undefined ? undefined : store.get(communityId);
    return firstMark(community?.membership.joined_at ?? 0);
  }

  #report(channelId: Id): void {
    this.#options.events.emit('readState', this.of(channelId));
  }
}

/** A message as far as read states depend on it. */
interface Posted {
  readonly id: Id;
  readonly isMention: boolean;
  readonly isOwn: boolean;
}

function markOf({ state, aheadId }: Known): Id | undefined {
  return aheadId ?? state?.last_read_id;
}

function after(ids: ReadonlySet<Id>, readId: Id): ReadonlySet<Id> {
  return new Set([...ids].filter((id) => compareIds(id, readId) > 0));
}

function placeOf({ community_id: communityId, channel_id: channelId }: NotificationSetting): Id {
  const id = channelId ?? communityId;
  if (id === undefined) throw new TypeError('A notification setting names its place');
  return id;
}
