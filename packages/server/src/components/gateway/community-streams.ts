import type { Id } from '@hearth/protocol';
import type { Delivery } from '../../ports/bus/bus.ts';
import type { Arrivals } from './arrivals.ts';
import { AudienceReads } from './audience-reads.ts';
import { Audiences } from './audiences.ts';
import type { GatewayAccounts } from './gateway-accounts.ts';
import { MemberNews } from './member-news.ts';
import { Presences } from './presences.ts';
import type { Streams } from './streams.ts';
import { Visits } from './visits.ts';
import { Watchers } from './watchers.ts';
import { Watching } from './watching.ts';
import type { WatchingContext } from './watching-context.ts';

const MS_A_MINUTE = 60_000;

/** Events after which what is remembered of a community is outdated, even before the database reports it. */
const STRUCTURE = /^(COMMUNITY|ROLE|CHANNEL)_/;

/** What the streams of communities need. */
export interface CommunityStreamsOptions {
  readonly ctx: WatchingContext;
  readonly accounts: GatewayAccounts;
  readonly streams: Streams;
  readonly arrivals: Arrivals;
}

/** Everything that decides who follows the streams of communities. */
export class CommunityStreams {
  readonly #options: CommunityStreamsOptions;
  readonly reads: AudienceReads;
  readonly audiences: Audiences;
  readonly watching: Watching;
  readonly #visits: Visits;
  readonly #presences: Presences;
  readonly #news: MemberNews;

  constructor(options: CommunityStreamsOptions) {
    const { ctx, accounts, streams, arrivals } = options;
    const { clock, database, log, settings } = ctx;
    this.#options = options;
    this.reads = new AudienceReads({
      queries: accounts,
      database,
      since: () => streams.since(),
    });
    this.audiences = new Audiences({
      clock,
      database,
      log,
      arrivals,
      reads: this.reads,
      hub: streams.hub,
      rememberedMs: settings.gateway.replay.minutes * MS_A_MINUTE,
      onPresence: (local) => this.#presences.changed(local),
    });
    const { reads, audiences } = this;
    const { hub } = streams;
    const mayGuestsRead = settings.lobby !== 'accounts';
    this.#visits = new Visits({ database, log, reads, audiences, hub, mayGuestsRead });
    const watchers = {
      channels: new Watchers(),
      posts: new Watchers(),
      communities: new Watchers(),
    };
    const isWatched = (id: Id) => watchers.communities.has(id);
    this.#presences = new Presences({
      signals: ctx.signals,
      clock,
      onlineIn: (id) => audiences.onlineIn(id),
      isWatched,
      wait: (ms) => new Promise((resolve) => setTimeout(resolve, ms)),
      onChange: (id, user, isOnline) => this.#announce(id, user, isOnline),
    });
    const parts = { ctx, hub, audiences, visits: this.#visits, presences: this.#presences };
    this.watching = new Watching({ ...parts, watchers });
    this.#news = new MemberNews(ctx, this.watching, isWatched);
  }

  /** Handles what was handed on to the sockets. */
  take(delivery: Delivery): void {
    if ('end' in delivery) {
      this.audiences.ended(delivery);
      const { stream, end } = delivery;
      if (stream.startsWith('c:') && 'user' in end) {
        this.#presences.left(stream.slice(2) as Id, end.user);
      }
      return this.#visits.ended(delivery);
    }
    this.#news.take(delivery);
    const { op, d } = delivery.event;
    if (!STRUCTURE.test(op)) return;
    const id = communityIn(d);
    if (id !== undefined) this.#options.ctx.communities.outdate(id);
  }

  /** The streams start again, so ends may have been missed. */
  begin(): void {
    this.audiences.doubtAll();
  }

  /** To be called often. */
  tick(): void {
    this.audiences.tick();
    this.#visits.tick();
    this.#presences.tick();
    this.watching.tick();
  }

  /** Hears of no more changes. */
  stop(): void {
    for (const part of [this.reads, this.audiences, this.#visits, this.#presences, this.watching]) {
      part.stop();
    }
  }

  #announce(community: Id, user: Id, isOnline: boolean): void {
    const d = { user_id: user, status: isOnline ? 'online' : 'offline' } as const;
    this.watching.sendMembers(community, { op: 'PRESENCE', d });
  }
}

// Guarantee: only verbs publish, and they publish events of the protocol.
function communityIn(d: object): Id | undefined {
  const { id, community_id: communityId } = d as { id?: Id; community_id?: Id };
  return communityId ?? id;
}
