import { expect, test } from 'bun:test';
import fc from 'fast-check';
import {
  formatId,
  maskDigits,
  PERMISSIONS,
  readPermissions,
  type Id,
  type OverwriteLevels,
} from '@hearth/protocol';
import { fakeClock } from '@hearth/testing/fake-clock';
import { countedIds } from '@hearth/testing/ports/id-source';
import { runs } from '@hearth/testing/runs';
import { COMMUNITIES, followedIn } from './find-audiences.ts';
import type { Followed } from './followed.ts';
import type { AudienceCommunity } from './streams-of.ts';
import type { SeatPlan } from '../../../gateway-host.ts';
import { jsonLogger } from '../../../log/logger.ts';
import type { AccessEnd, Publication } from '../../../ports/bus/bus.ts';
import { audienceTest } from '../structure/audience-test.ts';
import type { Audience } from '../structure/structure.ts';
import { memoryBus } from '../../../ports/bus/memory.ts';
import type { Change, ChangeListener, Database } from '../../../ports/database/database.ts';
import { ChangesSince, type Reading, type Standing } from './audience-reads.ts';
import { Audiences } from './audiences.ts';
import { newConnection, type ConnectionSocket } from '../../../components/gateway/connection.ts';
import { placesFor } from '../../../components/gateway/stream-places.ts';
import { Streams } from '../../../components/gateway/streams.ts';
import { seatFrom } from './take-seat.ts';
import { Visits } from '../visits/visits.ts';

const id = (kind: number, sequence: number) => formatId({ seconds: kind, instanceId: 1, sequence });
const GARDEN = id(1, 0);
const OWNER = id(2, 99);
const USERS = [0, 1, 2].map((index) => id(2, index));
/** Somebody without an account. */
const GUEST = id(2, 98);
const CLIENTS = [...USERS, GUEST];
const ROLES = [0, 1].map((index) => id(3, index));
const CHANNELS = [0, 1].map((index) => id(4, index));
const OPEN = `c:${GARDEN}`;
const STREAMS = [OPEN, ...CHANNELS.map((channel) => `r:${channel}`)];
const VIEW = readPermissions(PERMISSIONS, ['VIEW']);
const NONE = readPermissions(PERMISSIONS, []);

/** The stored state: the roles of members, which roles see the channels, and whether visitors see the community. */
interface State {
  readonly isPrivate: boolean;
  readonly members: ReadonlyMap<Id, readonly Id[]>;
  readonly seenBy: readonly (readonly Id[])[];
}

/**
 * Returns whether a member, or somebody who visits the community, may follow a stream, computed apart from what is
 * tested.
 */
function mayFollow(
  { members, seenBy, isPrivate }: State,
  { user, isVisiting }: Pick<Client, 'user' | 'isVisiting'>,
  stream: string,
): boolean {
  const roles = members.get(user);
  if (roles === undefined) return stream === OPEN && isVisiting && !isPrivate;
  if (stream === OPEN) return true;
  const channel = STREAMS.indexOf(stream) - 1;
  return roles.some((role) => seenBy[channel]?.includes(role) === true);
}

function levelsOf(seers: readonly Id[]): OverwriteLevels {
  const allowed = seers.map(
    (role) => ({ id: role, kind: 'role', allow: VIEW, deny: NONE }) as const,
  );
  return [[], [{ id: GARDEN, kind: 'role', allow: NONE, deny: VIEW }, ...allowed]];
}

function structureOf({ seenBy, isPrivate }: State): AudienceCommunity {
  return {
    id: GARDEN,
    owner_id: OWNER,
    roles: new Map([[GARDEN, VIEW], ...ROLES.map((role) => [role, NONE] as const)]),
    visibility: isPrivate ? 'private' : 'public',
    is_deleted: false,
    restricted: CHANNELS.map((channel, index) => ({
      id: channel,
      levels: levelsOf(seenBy[index] ?? []),
    })),
  };
}

function audienceOf({ seenBy }: State, channel: number): Audience {
  return {
    community: GARDEN,
    owner: OWNER,
    roles: [[GARDEN, maskDigits(VIEW)], ...ROLES.map((role) => [role, maskDigits(NONE)] as const)],
    levels: levelsOf(seenBy[channel] ?? []).map((level) =>
      level.map(
        ({ kind, id, allow, deny }) => [kind, id, maskDigits(allow), maskDigits(deny)] as const,
      ),
    ),
  };
}

const memberOf = (userId: Id, roleIds: readonly Id[]) => ({
  ...{ communityId: GARDEN, userId, nickname: '', roleIds, joinedAtMs: 1 },
  ...{ timedOutUntilMs: 0, version: 1 },
});

type Step =
  | { readonly kind: 'roles'; readonly user: number; readonly roles: readonly number[] | undefined }
  | { readonly kind: 'see'; readonly channel: number; readonly roles: readonly number[] }
  | { readonly kind: 'post' | 'deliver'; readonly stream: number }
  | { readonly kind: 'connect' | 'resume' | 'cut' | 'visit'; readonly user: number }
  | { readonly kind: 'hide'; readonly isPrivate: boolean }
  | { readonly kind: 'notice' | 'look' | 'answer' | 'fail' | 'lose notices' | 'tick' };

const roles = fc.subarray([0, 1]);
const user = fc.nat(USERS.length - 1);
const client = fc.nat(CLIENTS.length - 1);
const stream = fc.nat(STREAMS.length - 1);
const step: fc.Arbitrary<Step> = fc.oneof(
  {
    weight: 4,
    arbitrary: fc.record({
      kind: fc.constant('roles'),
      user,
      roles: fc.option(roles, { nil: undefined, freq: 3 }),
    }),
  },
  { weight: 3, arbitrary: fc.record({ kind: fc.constant('see'), channel: fc.nat(1), roles }) },
  { weight: 6, arbitrary: fc.record({ kind: fc.constant('post'), stream }) },
  { weight: 9, arbitrary: fc.record({ kind: fc.constant('deliver'), stream }) },
  {
    weight: 4,
    arbitrary: fc.record({ kind: fc.constantFrom('connect', 'resume', 'cut'), user: client }),
  },
  { weight: 3, arbitrary: fc.record({ kind: fc.constant('visit'), user: client }) },
  { weight: 2, arbitrary: fc.record({ kind: fc.constant('hide'), isPrivate: fc.boolean() }) },
  { weight: 5, arbitrary: fc.record({ kind: fc.constant('notice') }) },
  { weight: 8, arbitrary: fc.record({ kind: fc.constantFrom('look', 'answer') }) },
  { weight: 1, arbitrary: fc.record({ kind: fc.constantFrom('lose notices', 'fail', 'tick') }) },
);

/** A query: the database looks at its data at one moment, and the answer arrives at another. */
interface Query {
  readonly users: readonly Id[];
  found: Followed | undefined;
  readonly done: PromiseWithResolvers<Followed>;
}

interface Payload {
  readonly op: string;
  readonly t?: string;
  readonly s?: number;
  readonly d: {
    readonly stream?: string;
    readonly s?: number;
    readonly epoch?: string;
    readonly n?: number;
  };
}

/** A client, which checks what it is sent. */
class Client {
  readonly user: Id;
  /** True once it has authenticated. */
  isIn = false;
  /** True if it has asked for the community as a visitor. */
  isVisiting = false;
  readonly log: string[] = [];
  readonly socket: ConnectionSocket;
  /** Its places in the streams that are open. */
  readonly places = new Map<string, { epoch: string; position: number }>();

  constructor(stage: Stage, owner: Id) {
    this.user = owner;
    this.socket = {
      data: newConnection(
        { client: '192.0.2.1', accessCode: undefined, profile: { version: 0 } },
        0,
      ),
      send: (text) => this.#take(stage, JSON.parse(text)),
      close: () => {},
      terminate: () => {},
      subscribe: (topic) => stage.topic(topic).add(this.socket),
      unsubscribe: (topic) => stage.topic(topic).delete(this.socket),
      cork: (run) => run(),
      getBufferedAmount: () => 0,
    };
  }

  #take(stage: Stage, { op, t, s = NaN, d }: Payload): void {
    this.log.push(op);
    if (op === 'STREAM_OPEN') {
      this.places.set(d.stream ?? '', { epoch: d.epoch ?? '', position: d.s ?? NaN });
    } else if (op === 'STREAM_CLOSE') this.places.delete(d.stream ?? '');
    else {
      const place = this.places.get(t ?? '');
      // Without a gap, and never after the end.
      expect([t, place?.position]).toEqual([t, s - 1]);
      if (place !== undefined) place.position = s;
      const states = stage.history.slice(d.n);
      if (states.some((state) => mayFollow(state, this, t ?? ''))) return;
      throw new Error(`user ${CLIENTS.indexOf(this.user)} was sent ${d.n} of ${t}`);
    }
  }
}

/** A gateway, the bus and the database, which take every step only when the test says so. */
class Stage {
  readonly #bus = memoryBus({ ids: countedIds(), journaled: 'lobby', keep: () => {} });
  readonly #topics = new Map<string, Set<ConnectionSocket>>();
  /** Every state that was committed; the number of an event is that of the state in which it was committed. */
  readonly history: State[] = [
    {
      members: new Map(USERS.map((each, index) => [each, ROLES.slice(index)])),
      seenBy: [ROLES, []],
      isPrivate: false,
    },
  ];
  /** Entries that are committed and not published, in the order of each stream. */
  readonly #waiting = new Map<string, Publication[]>();
  readonly #notices: (readonly Change[] | 'unknown')[] = [];
  readonly #listeners = new Set<ChangeListener>();
  readonly #queries: Query[] = [];
  readonly clients = new Map<Id, Client>();
  #certain = true;
  streams!: Streams;
  audiences!: Audiences;
  visits!: Visits;

  async open(): Promise<void> {
    await this.#bus.subscribe({
      begin: (start) => {
        this.streams = new Streams({
          servers: {
            publish: (topic, text) => this.topic(topic).forEach((socket) => socket.send(text)),
            hasSubscribers: (topic) => this.topic(topic).size > 0,
          },
          ...{ clock: fakeClock(), isLobbyOpen: true, audienceTest, start, sweepAfterBytes: 1e9 },
          bounds: { events: 1_000, minutes: 10, bytes: 1_000_000 },
          ...{ pauseAboveBytes: 1e6, pauseAllAboveBytes: Infinity, onBreak: () => {} },
          giveUp: () => {
            throw new Error('given up');
          },
        });
      },
      take: (delivery) => {
        this.streams.send(delivery);
        if (!('end' in delivery)) return;
        this.audiences.takeEnd(delivery);
        this.visits.takeEnd(delivery);
      },
    });
    const reads = {
      ofUser: (owner: Id) => this.#read([owner]).then((reading) => standingIn(reading, owner)),
      ofHome: (_: string, users: readonly Id[]) => this.#read(users),
    };
    const database: Pick<Database, 'onChange' | 'hearChanges'> = {
      onChange: (listener) => {
        this.#listeners.add(listener);
        return () => this.#listeners.delete(listener);
      },
      hearChanges: () => this.#certain,
    };
    const log = jsonLogger('silent', () => {});
    this.audiences = new Audiences({
      ...{ clock: fakeClock(), reads, hub: this.streams.hub, rememberedMs: 600_000 },
      ...{ kinds: [COMMUNITIES], log, database, arrivals: { wait: async () => {} } },
    });
    const { hub } = this.streams;
    const mayGuestsRead = true;
    this.visits = new Visits({
      database,
      log,
      reads,
      audiences: this.audiences,
      hub,
      mayGuestsRead,
    });
  }

  topic(name: string): Set<ConnectionSocket> {
    return this.#topics.getOrInsertComputed(name, () => new Set());
  }

  get state(): State {
    const state = this.history.at(-1);
    if (state === undefined) throw new Error('there is no state');
    return state;
  }

  async run(next: Step): Promise<void> {
    switch (next.kind) {
      case 'roles':
        this.#setRoles(
          USERS[next.user] ?? OWNER,
          next.roles?.map((role) => ROLES[role] ?? OWNER),
        );
        break;
      case 'see':
        this.#setSeers(
          next.channel,
          next.roles.map((role) => ROLES[role] ?? OWNER),
        );
        break;
      case 'post': {
        const name = STREAMS[next.stream] ?? OPEN;
        this.#emit(name, { stream: name, event: { op: 'X', d: { n: this.history.length - 1 } } });
        break;
      }
      case 'deliver': {
        const publication = this.#waiting.get(STREAMS[next.stream] ?? OPEN)?.shift();
        if (publication !== undefined) await this.#bus.publish(publication);
        break;
      }
      case 'connect':
      case 'resume':
        this.#connect(CLIENTS[next.user] ?? OWNER, next.kind === 'resume').catch(() =>
          this.#cut(CLIENTS[next.user] ?? OWNER),
        );
        break;
      case 'cut':
        this.#cut(CLIENTS[next.user] ?? OWNER);
        break;
      case 'visit':
        void this.#visit(CLIENTS[next.user] ?? OWNER);
        break;
      case 'hide':
        this.#setPrivate(next.isPrivate);
        break;
      case 'notice': {
        const changes = this.#notices.shift();
        if (changes !== undefined) this.#listeners.forEach((listener) => listener(changes));
        break;
      }
      case 'lose notices':
        // The connection to the database was lost, and is there again.
        this.#notices.splice(0, Infinity, 'unknown');
        this.#certain = false;
        break;
      case 'look': {
        const query = this.#queries.find(({ found }) => found === undefined);
        if (query !== undefined) query.found = this.#find(query.users);
        break;
      }
      case 'answer': {
        const index = this.#queries.findIndex(({ found }) => found !== undefined);
        const [query] = index === -1 ? [] : this.#queries.splice(index, 1);
        if (query?.found !== undefined) query.done.resolve(query.found);
        break;
      }
      case 'fail':
        // The database does not answer.
        this.#queries.shift()?.done.reject(new Error('the database is away'));
        break;
      case 'tick':
        this.audiences.tick();
        this.visits.tick();
    }
    for (let turns = 0; turns < 2; turns += 1)
      await new Promise((resolve) => setImmediate(resolve));
    if (this.#notices.length === 0) this.#certain = true;
  }

  /** Lets everything happen that is due. */
  async settle(): Promise<void> {
    for (let rounds = 0; rounds < 8; rounds += 1) {
      for (const [index, name] of STREAMS.entries()) {
        while ((this.#waiting.get(name)?.length ?? 0) > 0)
          await this.run({ kind: 'deliver', stream: index });
      }
      while (this.#notices.length > 0) await this.run({ kind: 'notice' });
      await this.run({ kind: 'tick' });
      while (this.#queries.length > 0)
        for (const kind of ['look', 'answer'] as const) await this.run({ kind });
    }
  }

  #emit(name: string, publication: Publication): void {
    this.#waiting.getOrInsertComputed(name, () => []).push(publication);
  }

  #end(name: string, end: AccessEnd): void {
    this.#emit(name, { stream: name, end });
  }

  #setRoles(owner: Id, given: readonly Id[] | undefined): void {
    const before = this.state;
    const members = new Map(before.members);
    if (given === undefined) members.delete(owner);
    else members.set(owner, given);
    this.history.push({ ...before, members });
    // As verbs do: the restricted channels first, then the community.
    for (const name of STREAMS.toReversed()) {
      const member = { user: owner, isVisiting: false };
      const isLost = mayFollow(before, member, name) && !mayFollow(this.state, member, name);
      if (isLost) this.#end(name, { user: owner });
    }
    this.#notices.push([{ kind: 'members', id: `${GARDEN} ${owner}` }]);
  }

  #setSeers(channel: number, seers: readonly Id[]): void {
    const seenBy = this.state.seenBy.with(channel, seers);
    this.history.push({ ...this.state, seenBy });
    this.#end(STREAMS[channel + 1] ?? OPEN, { unless: audienceOf(this.state, channel) });
    this.#notices.push([{ kind: 'communities', id: GARDEN }]);
  }

  #setPrivate(isPrivate: boolean): void {
    const { isPrivate: wasPrivate } = this.state;
    this.history.push({ ...this.state, isPrivate });
    const everyone: Audience = {
      community: GARDEN,
      owner: OWNER,
      roles: [[GARDEN, maskDigits(VIEW)]],
      levels: [],
    };
    if (isPrivate && !wasPrivate) this.#end(OPEN, { unless: everyone });
    this.#notices.push([{ kind: 'communities', id: GARDEN }]);
  }

  /** As watching does: who follows the stream already does not visit. */
  async #visit(owner: Id): Promise<void> {
    const client = this.clients.get(owner);
    if (client?.isIn !== true || this.streams.hub.follows(client.socket, OPEN)) return;
    client.isVisiting = true;
    const isBegun = await this.visits.begin(client.socket, userOf(owner), GARDEN);
    if (isBegun && this.clients.get(owner) === client) return;
    this.visits.drop(client.socket, GARDEN);
    client.isVisiting = false;
  }

  async #read(users: readonly Id[]): Promise<Reading> {
    const since = this.streams.since();
    const changes = new ChangesSince([COMMUNITIES]);
    const note: ChangeListener = (each) => changes.note(each);
    this.#listeners.add(note);
    const query: Query = { users, found: undefined, done: Promise.withResolvers() };
    this.#queries.push(query);
    try {
      return { found: await query.done.promise, since, changes };
    } finally {
      setImmediate(() => {
        since[Symbol.dispose]();
        this.#listeners.delete(note);
      });
    }
  }

  #find(users: readonly Id[]): Followed {
    const state = this.state;
    const members = users.flatMap((each) => {
      const own = state.members.get(each);
      return own === undefined ? [] : [[each, [memberOf(each, own)]] as const];
    });
    const communities = new Map([[GARDEN, structureOf(state)]]);
    return followedIn({ communities, members: new Map(members) });
  }

  /** As the authenticator does: without places everything is read, otherwise what is known may be enough. */
  async #connect(owner: Id, isResuming: boolean): Promise<void> {
    const former = this.clients.get(owner);
    const places = new Map(isResuming ? former?.places : []);
    this.#cut(owner);
    const client = new Client(this, owner);
    this.clients.set(owner, client);
    client.isIn = userOf(owner) === undefined;
    if (client.isIn) return;
    for (let count = 0; count < 5; count += 1) {
      const isKnown = isResuming && count === 0;
      const known = isKnown ? this.audiences.known(owner) : undefined;
      const standing = known ?? standingIn(await this.#read([owner]), owner);
      if (this.clients.get(owner) !== client) return;
      const placed = placesFor(this.streams, {
        ...{ user: owner, streams: [], standing, resume: isResuming ? places : undefined },
        own: isKnown ? undefined : { stream: 'u:', readAt: this.streams.headOf('u:') },
      });
      if (placed === undefined) continue;
      for (const [name, at] of placed.places) client.places.set(name, { ...at });
      const taken = this.audiences.seat(client.socket, owner, standing);
      for (const [name, from] of placed.places) {
        const access = taken.get(OPEN) ?? { user: owner, roles: [] };
        this.streams.hub.open(client.socket, { stream: name, access, from, isListed: true });
      }
      client.isIn = true;
      return;
    }
    this.#cut(owner);
  }

  #cut(owner: Id): void {
    const client = this.clients.get(owner);
    if (client === undefined) return;
    this.clients.delete(owner);
    client.socket.data.status = { state: 'closed' };
    this.streams.leave(client.socket);
    this.visits.drop(client.socket, GARDEN);
    if (userOf(owner) !== undefined) this.audiences.unseat(client.socket, owner);
  }
}

function userOf(client: Id): Id | undefined {
  return client === GUEST ? undefined : client;
}

function standingIn(reading: Reading, owner: Id): Standing {
  const plan: SeatPlan = seatFrom(reading, OPEN, owner);
  return { seats: plan.streams.length === 0 ? [] : [plan], reading };
}

/** Takes steps with two users who have roles 0 and 1, and role 1; both roles see channel 0. */
async function take(steps: readonly Step[]) {
  const stage = new Stage();
  await stage.open();
  for (const index of [0, 1]) await stage.run({ kind: 'connect', user: index });
  await stage.settle();
  for (const next of steps) await stage.run(next);
  const logs = () => [0, 1].map((index) => stage.clients.get(USERS[index] ?? OWNER)?.log);
  const before = structuredClone(logs());
  await stage.settle();
  return { before, after: logs() };
}

const DELIVER = { kind: 'deliver', stream: 1 } as const;
const POST = { kind: 'post', stream: 1 } as const;

test('[GC8] everyone whom a new audience may still have is held at its place until that is certain, and misses nothing', async () => {
  const { before, after } = await take([
    // He keeps the stream because of role 1, and loses it with the next change.
    { kind: 'roles', user: 0, roles: [0] },
    { kind: 'see', channel: 0, roles: [1] },
    POST,
    ...Array(2).fill(DELIVER),
  ]);
  expect(before).toEqual([[], []]);
  expect(after).toEqual([['STREAM_CLOSE'], ['X']]);
});

test('[GC4][GC4a] a membership ends in all streams of the community at once, even if its end comes late in one of them', async () => {
  const { before, after } = await take([
    { kind: 'roles', user: 0, roles: undefined },
    POST,
    { kind: 'deliver', stream: 0 },
  ]);
  const closed = ['STREAM_CLOSE', 'STREAM_CLOSE'];
  expect(before).toEqual([closed, []]);
  expect(after).toEqual([closed, ['X']]);
});

test('[GC8][GC13] whatever changes while it is read, nobody is sent what they may not see, and in the end everyone follows what they may', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(step, { minLength: 40, maxLength: 120, size: 'max' }),
      async (steps) => {
        const stage = new Stage();
        await stage.open();
        for (const [index] of CLIENTS.entries()) await stage.run({ kind: 'connect', user: index });
        for (const next of steps) await stage.run(next);
        await stage.settle();
        for (const client of stage.clients.values()) {
          const { places } = client;
          const expected = STREAMS.filter((name) => mayFollow(stage.state, client, name));
          expect([...places.keys()].toSorted()).toEqual(expected.toSorted());
          for (const [name, at] of places) expect(at).toEqual({ ...stage.streams.headOf(name) });
        }
      },
    ),
    { numRuns: runs(150, 400) },
  );
});
