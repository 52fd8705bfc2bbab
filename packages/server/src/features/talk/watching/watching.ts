export type { SignalPasser, WatchedSignal } from './watched-signal.ts';

import { communityStream, type Id, type WatchedEvent } from '@hearth/protocol';
import { idSchema, MOST_WATCHED, type Watch } from '@hearth/protocol/schemas';
import type { Context } from '../../../context.ts';
import {
  whereIs,
  whereWas,
  type KeepsChannelHomes,
  type KeepsCommunities,
  type KeepsStandings,
  type KnownCommunity,
  type NamedPlace,
  type PlaceIds,
} from '../../communities/structure/structure.ts';
import type { KeepsUsers } from '../../accounts/users/users.ts';
import type { ConnectedClient, Followers, GatewayPart } from '../../../gateway-host.ts';
import type { Audiences } from '../../communities/audiences/audiences.ts';
import type { Presences } from '../presence/presence.ts';
import type { Visits } from '../../communities/visits/visits.ts';
import type { Passed, Passing, SignalPasser } from './watched-signal.ts';
import type { Watched } from './watchers.ts';

/** Bytes waiting for a client above which it is sent nothing that is not kept. */
const MOST_WAITING_BYTES = 64 * 1024;

/** The context that it takes to know who may watch what, and to describe people. */
export interface WatchingContext
  extends Context, KeepsChannelHomes, KeepsCommunities, KeepsStandings, KeepsUsers {}

export interface WatchingOptions {
  readonly ctx: WatchingContext;
  readonly hub: Pick<Followers, 'follows' | 'isHeld'>;
  readonly visits: Pick<Visits, 'begin' | 'end' | 'drop'>;
  readonly presences: Pick<Presences, 'list'>;
  readonly audiences: Pick<Audiences, 'isMember'>;
  readonly watchers: Watched;
  /** Returns functions that pass signals on, by their kinds. */
  readonly signals: (passing: Passing) => ReadonlyMap<string, SignalPasser>;
}

/** The things that one client watches. */
interface State {
  readonly user: Id | undefined;
  channels: readonly Id[];
  posts: readonly Id[];
  communities: readonly Id[];
  /** Communities that are followed only because they are watched. */
  visited: readonly Id[];
  next: Watch['d'] | undefined;
  isBusy: boolean;
}

/**
 * The things that clients watch besides their streams. A client that watches something receives its events only as long
 * as it follows the stream, so that watching gives nobody more than they may see.
 */
export class Watching implements GatewayPart {
  readonly #options: WatchingOptions;
  readonly #states = new Map<ConnectedClient, State>();
  readonly #stopListening: () => void;
  readonly #signals: ReadonlyMap<string, SignalPasser>;

  constructor(options: WatchingOptions) {
    this.#options = options;
    const { ctx, watchers } = options;
    const send: Passing['send'] = (to, passed) => this.#send(to, passed);
    this.#signals = options.signals({ watchers, send });
    this.#stopListening = ctx.signals.listen(({ kind, d }) => this.#signals.get(kind)?.hear(d));
  }

  /** Handles WATCH. While an earlier one is in work, only the last counts. */
  watch(socket: ConnectedClient, user: Id | undefined, d: Watch['d']): void {
    const state = this.#states.getOrInsertComputed(socket, () => newState(user));
    state.next = d;
    if (!state.isBusy) void this.#run(socket, state);
  }

  /** To be called often. Tries again what failed, so that every WATCH is answered. */
  tick(): void {
    for (const passer of this.#signals.values()) passer.tick?.();
    for (const [socket, state] of this.#states) {
      if (state.next !== undefined && !state.isBusy) void this.#run(socket, state);
    }
  }

  leave(socket: ConnectedClient): void {
    const state = this.#states.get(socket);
    if (state === undefined) return;
    this.#states.delete(socket);
    this.#replace(socket, state, { channels: [], posts: [], communities: [] });
    for (const id of state.visited) this.#options.visits.drop(socket, id);
  }

  /** Forgets a client whose connection has ended. */
  forget(socket: ConnectedClient): void {
    this.leave(socket);
  }

  /** Sends an event to the watchers of a community but one. */
  sendIn(community: Id, event: WatchedEvent, except?: Id): void {
    const stream = communityStream(community);
    this.#send(this.#options.watchers.communities.of(community), { stream, event, except });
  }

  /** Sends an event about a person to all others who watch any of these communities, once each. */
  sendAbout(person: Id, communities: readonly Id[], event: WatchedEvent): void {
    const { hub, watchers } = this.#options;
    const reached = new Set<ConnectedClient>();
    for (const id of communities) {
      const stream = communityStream(id);
      const others = [...watchers.communities.of(id)].filter(
        (socket) =>
          !reached.has(socket) && hub.follows(socket, stream) && !hub.isHeld(socket, stream),
      );
      this.#send(others, { stream, event, except: person });
      for (const socket of others) reached.add(socket);
    }
  }

  /** Sends those watchers of a community who are members that somebody has come or gone. */
  sendPresence(community: Id, user: Id, isOnline: boolean): void {
    const d = { user_id: user, status: isOnline ? 'online' : 'offline' } as const;
    const watchers = [...this.#options.watchers.communities.of(community)].filter((socket) => {
      const state = this.#states.get(socket);
      return state !== undefined && this.#isMember(state, community);
    });
    this.#send(watchers, { stream: communityStream(community), event: { op: 'PRESENCE', d } });
  }

  /** Hears of nothing more. */
  stop(): void {
    this.#stopListening();
  }

  async #run(socket: ConnectedClient, state: State): Promise<void> {
    state.isBusy = true;
    for (let next = state.next; next !== undefined; next = state.next) {
      state.next = undefined;
      try {
        await this.#watch(socket, state, next);
      } catch (err) {
        this.#options.ctx.log.debug({ err }, 'it is not known what may be watched');
        state.next ??= next;
        break;
      }
    }
    state.isBusy = false;
    if (this.#isThere(socket)) return;
    for (const id of state.visited) this.#options.visits.drop(socket, id);
  }

  async #watch(socket: ConnectedClient, state: State, asked: Watch['d']): Promise<void> {
    const { visits, presences } = this.#options;
    const communities = await this.#communitiesIn(socket, state, asked.communities);
    const channels = await this.#followedOf(socket, 'channel', asked.channels);
    const posts = await this.#followedOf(socket, 'post', asked.posts);
    if (!this.#isThere(socket)) return;
    this.#replace(socket, state, { channels, posts, communities });
    for (const passer of this.#signals.values()) for (const id of posts) passer.watch?.(id);
    for (const id of state.visited) if (!communities.includes(id)) visits.end(socket, id);
    state.visited = state.visited.filter((id) => communities.includes(id));
    // Who is there is shown to people of the same community only.
    const online = await presences.list(communities.filter((id) => this.#isMember(state, id)));
    const users = await this.#options.ctx.users.all(new Set([...online.values()].flat()));
    if (!this.#isThere(socket)) return;
    const list = communities.map((id) => ({
      id,
      online: (online.get(id) ?? []).flatMap((each) => {
        const user = users.get(each);
        return user === undefined ? [] : [{ user, status: 'online' as const }];
      }),
    }));
    const d = { channels: [...channels], posts: [...posts], communities: list, users: [] };
    socket.send(JSON.stringify({ op: 'WATCHED', d } satisfies WatchedEvent));
  }

  /** The first of the communities that the client follows, or may follow because they are public. */
  async #communitiesIn(
    socket: ConnectedClient,
    state: State,
    asked: readonly string[] | undefined,
  ): Promise<readonly Id[]> {
    const { hub, visits } = this.#options;
    const ids = firstIds(asked, MOST_WATCHED.communities);
    const may = await Promise.all(
      ids.map(async (id) => {
        if (hub.follows(socket, communityStream(id))) return true;
        state.visited = [...state.visited, id];
        const isBegun = await visits.begin(socket, state.user, id);
        if (isBegun) return true;
        visits.drop(socket, id);
        state.visited = state.visited.filter((each) => each !== id);
        return false;
      }),
    );
    return ids.filter((_, index) => may[index]);
  }

  /** The first of the channels, or of the posts in channels, whose stream the client follows. */
  async #followedOf(
    socket: ConnectedClient,
    kind: 'channel' | 'post',
    asked: readonly string[] | undefined,
  ): Promise<readonly Id[]> {
    const { ctx, hub } = this.#options;
    const ids = firstIds(asked, MOST_WATCHED[`${kind}s`]);
    const found = await Promise.all(ids.map((id) => this.#placeOf(socket, { kind, id })));
    const homes = new Set(found.flatMap((place) => place?.communityId ?? []));
    // Nothing is read of others, which may be hidden.
    const followed = [...homes].filter((id) => hub.follows(socket, communityStream(id)));
    const communities = await ctx.communities.all(followed);
    return ids.filter((_, at) => {
      const place = found[at];
      return place && this.#isFollowed(socket, place, communities.get(place.communityId));
    });
  }

  /**
   * Finds where something is: what is remembered, if the client follows its stream, or what is found, also for what
   * does not exist.
   */
  async #placeOf(socket: ConnectedClient, named: NamedPlace): Promise<PlaceIds | undefined> {
    const { ctx } = this.#options;
    const known = whereWas(ctx, named);
    const community = known && ctx.communities.peek(known.communityId);
    return known && this.#isFollowed(socket, known, community) ? known : await whereIs(ctx, named);
  }

  #isFollowed(
    socket: ConnectedClient,
    { channelId }: PlaceIds,
    community: KnownCommunity | undefined,
  ): boolean {
    const channel = channelId === '' ? undefined : community?.channelById.get(channelId);
    return channel !== undefined && this.#options.hub.follows(socket, channel.stream);
  }

  #isMember({ user }: Pick<State, 'user'>, community: Id): boolean {
    return user !== undefined && this.#options.audiences.isMember(user, community);
  }

  #isThere(socket: ConnectedClient): boolean {
    return this.#states.has(socket) && socket.data.status.state === 'open';
  }

  #replace(
    socket: ConnectedClient,
    state: State,
    { channels, posts, communities }: Pick<State, 'channels' | 'posts' | 'communities'>,
  ): void {
    const { watchers } = this.#options;
    watchers.channels.replace(socket, state.channels, channels);
    watchers.posts.replace(socket, state.posts, posts);
    watchers.communities.replace(socket, state.communities, communities);
    [state.channels, state.posts, state.communities] = [channels, posts, communities];
  }

  #send(watchers: Iterable<ConnectedClient>, { stream, event, except }: Passed): void {
    const { hub } = this.#options;
    let text: string | undefined;
    for (const socket of watchers) {
      if (!hub.follows(socket, stream) || hub.isHeld(socket, stream)) continue;
      if (except !== undefined && this.#states.get(socket)?.user === except) continue;
      // What is not kept need not wait for a client that reads slowly.
      if (socket.getBufferedAmount() > MOST_WAITING_BYTES) continue;
      text ??= JSON.stringify(event);
      socket.send(text);
    }
  }
}

function newState(user: Id | undefined): State {
  const nothing = { channels: [], posts: [], communities: [], visited: [] };
  return { user, ...nothing, next: undefined, isBusy: false };
}

/** The first so many ids of a list, each once; what is no id is left out. */
function firstIds(asked: readonly string[] | undefined, most: number): readonly Id[] {
  const ids = new Set<Id>();
  for (const each of (asked ?? []).slice(0, most)) {
    const { data } = idSchema.safeParse(each);
    if (data !== undefined) ids.add(data);
  }
  return [...ids];
}
