import { MOST_LISTED_ONLINE } from '@hearth/protocol/schemas';
import type { Id } from '@hearth/protocol';
import type { GatewayPart } from '../../../gateway-host.ts';
import type { Clock } from '../../../lib/clock.ts';
import type { EndPublication } from '../../../ports/bus/bus.ts';
import type { Signal, Signals } from '../../../ports/signals/signals.ts';
import type { LocalUser } from '../../communities/audiences/audiences.ts';

/**
 * The time for which somebody counts as there after their last connection has ended, so that coming back at once is no
 * news.
 */
const GRACE_MS = 5_000;

/** The time that other processes may take to say who is there, and the time after which they are asked again. */
const ANSWER_MS = 150;
const REFRESH_MS = 30_000;

/** The number of changes in one signal, and of signals that are sent at a time. */
const MOST_CHANGES = 200;
const MOST_SIGNALS = 10;

/** The number of people of a watched community who are remembered as being there. */
const MOST_REMEMBERED = 1_000;

export interface PresencesOptions {
  readonly signals: Signals;
  readonly clock: Pick<Clock, 'monotonicMs'>;
  /** Members of a community who are connected to this process. */
  readonly onlineIn: (community: Id) => IteratorObject<Id>;
  /** Returns whether anybody here watches a community. */
  readonly isWatched: (community: Id) => boolean;
  /** Resolves after some milliseconds. */
  readonly wait: (ms: number) => Promise<unknown>;
  /** Sends watchers of a community that somebody has come or gone. */
  readonly onChange: (community: Id, user: Id, isOnline: boolean) => void;
}

/** Somebody has come or gone. */
interface Change {
  readonly user: Id;
  readonly is_online: boolean;
  readonly communities: readonly Id[];
}

type PresenceSignal =
  | {
      readonly kind: 'presence';
      readonly d: { readonly from: string; readonly changes: readonly Change[] };
    }
  | {
      readonly kind: 'who';
      readonly d: { readonly from: string; readonly communities: readonly Id[] };
    }
  | {
      readonly kind: 'here';
      readonly d: { readonly from: string; readonly to: string; readonly here: readonly Here[] };
    };

/** Members of a community who are connected to a process. */
interface Here {
  readonly community: Id;
  readonly users: readonly Id[];
  /** True if there are others. */
  readonly has_more: boolean;
}

/** The people who are there in a watched community: through which processes. */
interface Watched {
  readonly online: Map<Id, Set<string>>;
  /** Processes that have answered since the other processes were asked. */
  readonly answered: Map<string, Pick<Here, 'users' | 'has_more'>>;
  readAtMs: number;
  reading: Promise<void> | undefined;
}

/**
 * The people who are connected, for those who watch communities. What the processes say to each other may get lost, and
 * is asked again.
 */
export class Presences implements GatewayPart {
  readonly #options: PresencesOptions;
  readonly #name: string = crypto.randomUUID();
  readonly #watched = new Map<Id, Watched>();
  /** Users who have come or gone, and those of whom others were notified that they have come. */
  readonly #changed = new Set<LocalUser>();
  readonly #online = new Set<Id>();
  readonly #stopListening: () => void;

  constructor(options: PresencesOptions) {
    this.#options = options;
    this.#stopListening = options.signals.listen((signal) => this.#hear(signal));
  }

  /** Notes that the first connection of a user has begun, or the last one has ended. */
  changed(local: LocalUser): void {
    this.#changed.add(local);
  }

  /** Returns who is there in communities that are watched from now on, as far as that can be found out. */
  async list(communities: readonly Id[]): Promise<ReadonlyMap<Id, readonly Id[]>> {
    const unknown = communities.filter((id) => !this.#watched.has(id));
    if (unknown.length > 0) this.#read(unknown);
    await Promise.all(communities.flatMap((id) => this.#watched.get(id)?.reading ?? []));
    return new Map(
      communities.map((id) => {
        const online = this.#watched.get(id)?.online.keys() ?? [];
        return [id, Iterator.from(online).take(MOST_LISTED_ONLINE).toArray()];
      }),
    );
  }

  /** Handles what was handed on to clients: who is no member of a community any more has gone. */
  takeEnd({ stream, end }: EndPublication): void {
    if (!('user' in end)) return;
    // Guarantee: it is the name of a stream of a community.
    if (stream.startsWith('c:')) this.left(stream.slice(2) as Id, end.user);
  }

  /** Notes that somebody is no member of a community any more. */
  left(community: Id, user: Id): void {
    if (this.#watched.get(community)?.online.delete(user) !== true) return;
    this.#options.onChange(community, user, false);
  }

  /** To be called often. */
  tick(): void {
    this.#report();
    const due = this.#options.clock.monotonicMs() - REFRESH_MS;
    const late: Id[] = [];
    for (const [id, { readAtMs, reading }] of this.#watched) {
      if (!this.#options.isWatched(id) && reading === undefined) this.#watched.delete(id);
      else if (readAtMs < due && reading === undefined) late.push(id);
    }
    if (late.length > 0) this.#read(late);
  }

  /** Hears of nothing more. */
  stop(): void {
    this.#stopListening();
  }

  #report(): void {
    const { clock } = this.#options;
    const changes: Change[] = [];
    for (const local of this.#changed) {
      if (changes.length >= MOST_CHANGES * MOST_SIGNALS) break;
      const isOnline = local.sockets.size > 0;
      if (!isOnline && clock.monotonicMs() - local.leftAtMs < GRACE_MS) continue;
      this.#changed.delete(local);
      if (isOnline === this.#online.has(local.id)) continue;
      if (isOnline) this.#online.add(local.id);
      else this.#online.delete(local.id);
      const communities = [...local.seats.keys()].flatMap(({ id, stream }) =>
        stream.startsWith('c:') ? [id] : [],
      );
      if (communities.length === 0) continue;
      changes.push({ user: local.id, is_online: isOnline, communities });
    }
    for (let at = 0; at < changes.length; at += MOST_CHANGES) {
      const part = changes.slice(at, at + MOST_CHANGES);
      this.#send({ kind: 'presence', d: { from: this.#name, changes: part } });
    }
  }

  #read(communities: readonly Id[]): void {
    const { clock } = this.#options;
    const readings = communities.map((id): [Id, Watched] => {
      const watched = this.#watched.getOrInsertComputed(id, newWatched);
      watched.answered.clear();
      watched.readAtMs = clock.monotonicMs();
      return [id, watched];
    });
    const reading = this.#ask(communities).then(() => {
      for (const [id, watched] of readings) {
        watched.reading = undefined;
        this.#conclude(id, watched);
      }
    });
    for (const [, watched] of readings) watched.reading = reading;
  }

  async #ask(communities: readonly Id[]): Promise<void> {
    if (this.#options.signals.isAlone) return;
    for (let at = 0; at < communities.length; at += MOST_CHANGES) {
      const part = communities.slice(at, at + MOST_CHANGES);
      this.#send({ kind: 'who', d: { from: this.#name, communities: part } });
    }
    await this.#options.wait(ANSWER_MS);
  }

  /** Notes who is there, and sends watchers the difference. */
  #conclude(id: Id, { online, answered }: Watched): void {
    answered.set(this.#name, this.#here(id, MOST_REMEMBERED));
    const now = new Map<Id, Set<string>>();
    for (const [from, { users, has_more: hasMore }] of answered) {
      // Those whom a process does not name may still be connected to it.
      const others = hasMore
        ? [...online.keys()].filter((user) => online.get(user)?.has(from))
        : [];
      for (const user of [...users, ...others]) {
        now.getOrInsertComputed(user, () => new Set()).add(from);
      }
    }
    const [gone, come] = [
      [...online.keys()].filter((user) => !now.has(user)),
      [...now.keys()].filter((user) => !online.has(user)),
    ];
    online.clear();
    for (const [user, from] of now) online.set(user, from);
    for (const user of gone) this.#options.onChange(id, user, false);
    for (const user of come) this.#options.onChange(id, user, true);
  }

  #send(signal: PresenceSignal): void {
    this.#options.signals.send(signal);
  }

  // Guarantee: only this class sends signals of these kinds.
  #hear(signal: Signal): void {
    const { kind, d } = signal as PresenceSignal;
    if (kind === 'presence') for (const change of d.changes) this.#note(d.from, change);
    else if (kind === 'who' && d.from !== this.#name) this.#answer(d.from, d.communities);
    else if (kind === 'here' && d.to === this.#name) {
      for (const here of d.here) this.#watched.get(here.community)?.answered.set(d.from, here);
    }
  }

  #answer(to: string, communities: readonly Id[]): void {
    const here = communities.flatMap((community): Here[] => {
      const here = this.#here(community, MOST_LISTED_ONLINE);
      return here.users.length === 0 ? [] : [{ community, ...here }];
    });
    if (here.length > 0) this.#send({ kind: 'here', d: { from: this.#name, to, here } });
  }

  #here(community: Id, most: number): Pick<Here, 'users' | 'has_more'> {
    const some = this.#options
      .onlineIn(community)
      .take(most + 1)
      .toArray();
    return { users: some.slice(0, most), has_more: some.length > most };
  }

  #note(from: string, { user, is_online: isOnline, communities }: Change): void {
    for (const id of communities) {
      const watched = this.#watched.get(id);
      if (watched === undefined) continue;
      const { online } = watched;
      const known = online.get(user);
      if (isOnline) {
        if (known === undefined && online.size >= MOST_REMEMBERED) continue;
        online.getOrInsertComputed(user, () => new Set()).add(from);
        if (known === undefined) this.#options.onChange(id, user, true);
      } else if (known?.delete(from) === true && known.size === 0) {
        online.delete(user);
        this.#options.onChange(id, user, false);
      }
    }
  }
}

function newWatched(): Watched {
  return { online: new Map(), answered: new Map(), readAtMs: 0, reading: undefined };
}
