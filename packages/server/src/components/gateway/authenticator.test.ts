import { afterAll, beforeAll, expect, test } from 'bun:test';
import { formatId, readPermissions, STAFF_PERMISSIONS, UnauthorizedError } from '@hearth/protocol';
import { accountEventSchema } from '@hearth/protocol/schemas';
import { fakeClock } from '@hearth/testing/fake-clock';
import { openTestContext } from '@hearth/testing/instances/test-context';
import { startAt } from '@hearth/testing/ports/staged-bus';
import type { Context } from '../../context.ts';
import type { GatewayAccounts } from '../../gateway-host.ts';
import type { OwnerContext } from '../../instance.ts';
import type { TokenHolder } from '../../authentication.ts';
import { memoryLimiter } from '../../ports/limiter/memory.ts';
import { limitPolicies } from '../../engines/limit-policies.ts';
import {
  AudienceReads,
  type FollowedQueries,
} from '../../features/communities/audiences/audience-reads.ts';
import { Audiences } from '../../features/communities/audiences/audiences.ts';
import { followedIn } from '../../features/communities/audiences/find-audiences.ts';
import { Authenticator } from './authenticator.ts';
import { newConnection, type ConnectionSocket } from './connection.ts';
import { newAccountProfile, type AccountProfile } from './profile.ts';
import { Streams } from './streams.ts';

const id = (sequence: number) => formatId({ seconds: 1, instanceId: 1, sequence });
const ADA = id(1);
const SESSION = id(2);
const OWN = `u:${ADA}`;
const HOLDER: TokenHolder = {
  userId: ADA,
  isBot: false,
  credential: { kind: 'session', id: SESSION, token_hash: '' },
  staffPermissions: readPermissions(STAFF_PERMISSIONS, []),
  countedAs: 'user 1',
};
/** The part of READY that somebody without communities gets. */
const NOTHING = { communities: [], read_states: [], notification_settings: [] };
const HELLO = '{"op":"HELLO"}';

let owner: OwnerContext;
beforeAll(async () => {
  owner = await openTestContext();
});
afterAll(() => owner[Symbol.asyncDispose]());

const own = (version: number) => ({
  user: {
    ...{ id: ADA, username: 'ada', created_at: 1, version, email_verified: false },
    ...{ settings: {}, factors: [] },
  },
  session: { id: SESSION, created_at: 1, last_used_at: 1, current: true },
});

interface StageOptions {
  readonly accounts?: Partial<GatewayAccounts & FollowedQueries>;
  readonly lobby?: Context['settings']['lobby'];
  /** The number of events that are kept. */
  readonly events?: number;
  readonly caughtUp?: () => void;
}

/** Streams with an authenticator; tests publish in them and connect clients, of which "ada" is the only token. */
function openStage({ accounts, lobby = 'open', events = 1_000, caughtUp }: StageOptions = {}) {
  const clock = fakeClock();
  const subscribers = new Map<string, Set<ConnectionSocket>>();
  const followers = (topic: string) => subscribers.getOrInsertComputed(topic, () => new Set());
  const closed: (readonly [ConnectionSocket, string])[] = [];
  const doubted: string[] = [];
  const members: string[] = [];
  const settings = { ...owner.settings, lobby };
  const limiter = memoryLimiter(limitPolicies(settings), clock);
  const close = (socket: ConnectionSocket, reason: string) => {
    closed.push([socket, reason]);
    socket.data.status = { state: 'closed' };
    authenticator.leave(socket);
    streams.leave(socket);
  };
  const streams = new Streams({
    servers: {
      publish: (topic, text) => followers(topic).forEach((socket) => socket.send(text)),
      hasSubscribers: (topic) => followers(topic).size > 0,
    },
    clock,
    isLobbyOpen: lobby === 'open',
    audienceTest: () => () => false,
    bounds: { events, minutes: 10, bytes: 1_000_000 },
    start: startAt({ epoch: 'E', position: 0 }),
    pauseAboveBytes: 100,
    pauseAllAboveBytes: Infinity,
    sweepAfterBytes: 1_000_000,
    onBreak: () => {},
    giveUp: (socket) => close(socket, 'too_slow'),
  });
  const arrivals = { wait: async () => caughtUp?.() };
  const queries: GatewayAccounts & FollowedQueries = {
    check(token) {
      if (token !== 'ada') throw new UnauthorizedError('token_invalid');
      return HOLDER;
    },
    describe: async () => own(1),
    endedBy: () => undefined,
    onChange: () => () => {},
    lasting: async (all) => new Set(all),
    followed: async () => ({
      ...{ seats: new Map(), streams: new Map(), open: new Set(), members: new Map() },
    }),
    whole: async () => () => NOTHING,
    ...accounts,
  };
  const database = { onChange: () => () => {}, hearChanges: () => true };
  const reads = new AudienceReads({
    ...{ kinds: [], queries, database },
    since: () => streams.since(),
  });
  const audiences = new Audiences({
    ...{ kinds: [], clock, database, reads, arrivals, hub: streams.hub, log: owner.log },
    rememberedMs: 600_000,
  });
  const authenticator: Authenticator = new Authenticator({
    ctx: { ...owner, settings, limiter, clock },
    ...{ accounts: queries, audiences, reads, arrivals },
    connections: { close },
    streams,
    sessions: {
      add: (session) => void members.push(`+${session}`),
      delete: (session) => void members.push(`-${session}`),
      doubt: (session) => void doubted.push(session),
    },
    hello: HELLO,
    onEnter: ({ data: { profile } }) => entered.push(profile),
  });
  const entered: unknown[] = [];
  const positions = new Map<string, number>();
  const publish = (stream: string, op = 'USER_UPDATE', d: object = own(2).user) => {
    const position = (positions.get(stream) ?? 0) + 1;
    positions.set(stream, position);
    const epoch = stream === 'lobby' ? 'E' : 'E-0';
    streams.send({ stream, epoch, position, event: { op, d } });
  };
  const post = () => publish('lobby', 'MESSAGE_DELETE', { id: ADA });
  const connect = (client = '192.0.2.1') => {
    const log: string[] = [];
    const profile: AccountProfile = newAccountProfile();
    const socket: ConnectionSocket = {
      data: newConnection({ client, accessCode: undefined, profile }, 0),
      send: (text) => log.push(text),
      close: () => {},
      terminate: () => {},
      subscribe: (topic) => followers(topic).add(socket),
      unsubscribe: (topic) => followers(topic).delete(socket),
      cork: (run) => run(),
      getBufferedAmount: () => 0,
    };
    authenticator.begin(socket);
    return { socket, log, profile };
  };
  /** Connects a client, sends AUTHENTICATE and waits until the answer and everything that follows at once is sent. */
  const enter = async (d?: unknown, client?: string) => {
    const connected = connect(client);
    authenticator.take(connected.socket, connected.profile, d);
    for (let turns = 0; turns < 5; turns += 1) await turn();
    return { ...connected, sent: () => connected.log.slice(1).map((text) => JSON.parse(text)) };
  };
  const reasons = () => closed.map(([, reason]) => reason);
  const stage = { clock, streams, authenticator, publish, post, connect, enter, closed, reasons };
  return { ...stage, entered, members, doubted };
}

const turn = () => new Promise((resolve) => setImmediate(resolve));
const at = (position: number, epoch = 'E-0') => [epoch, position];

test('[GP3][GP6] a guest gets READY with the place of the lobby, and the events after it', async () => {
  const { enter, post, publish } = openStage();
  post();
  const { log, sent } = await enter();
  publish(OWN);
  post();
  expect(log[0]).toBe(HELLO);
  expect(sent()).toEqual([
    { op: 'READY', d: { streams: { lobby: at(1, 'E') } } },
    { op: 'MESSAGE_DELETE', t: 'lobby', s: 2, d: { id: ADA } },
  ]);
  for (const event of sent()) accountEventSchema.parse(event);
});

test('[GP4][GP6] a user gets READY with the user, the session and both streams, and the events after their places', async () => {
  const { enter, post, publish, members } = openStage();
  publish(OWN);
  const { sent, profile } = await enter({ token: 'ada' });
  publish(OWN);
  publish('u:7');
  post();
  expect(sent()).toEqual([
    {
      op: 'READY',
      d: { ...own(1), ...NOTHING, streams: { lobby: at(0, 'E'), [OWN]: at(1) } },
    },
    { op: 'USER_UPDATE', t: OWN, s: 2, d: own(2).user },
    { op: 'MESSAGE_DELETE', t: 'lobby', s: 1, d: { id: ADA } },
  ]);
  for (const event of sent()) accountEventSchema.parse(event);
  expect([profile.session, members]).toEqual([SESSION, [`+${SESSION}`]]);
});

test('[GP4] a token that may not read is refused, and one that may only read is let in', async () => {
  const entering = async (scope: 'read' | 'write') => {
    const credential = { kind: 'personal_token', id: SESSION, scopes: [scope] } as const;
    const stage = openStage({ accounts: { check: () => ({ ...HOLDER, credential }) } });
    const { sent } = await stage.enter({ token: 'any' });
    return [sent().map(({ op }) => op), stage.reasons()];
  };
  expect(await entering('write')).toEqual([[], ['unauthorized']]);
  expect(await entering('read')).toEqual([['READY'], []]);
});

test('[GP5] the state in READY is at least as new as its places: what happens while it is read follows', async () => {
  const reading = Promise.withResolvers<ReturnType<typeof own>>();
  const { enter, publish, post } = openStage({ accounts: { describe: () => reading.promise } });
  publish(OWN);
  const { sent } = await enter({ token: 'ada' });
  publish(OWN);
  post();
  expect(sent()).toEqual([]);
  reading.resolve(own(2));
  for (let turns = 0; turns < 5; turns += 1) await turn();
  publish(OWN);
  expect(sent()).toEqual([
    // Nothing in READY shows the lobby, so its place is the newest.
    {
      op: 'READY',
      d: { ...own(2), ...NOTHING, streams: { lobby: at(1, 'E'), [OWN]: at(1) } },
    },
    { op: 'USER_UPDATE', t: OWN, s: 2, d: own(2).user },
    { op: 'USER_UPDATE', t: OWN, s: 3, d: own(2).user },
  ]);
});

test('[GP5] the state is read again if what happened meanwhile is no longer kept, and not for ever', async () => {
  let reads = 0;
  const stage = openStage({
    events: 0,
    accounts: {
      async describe() {
        reads += 1;
        if (reads === 1) stage.publish(OWN);
        return own(reads);
      },
    },
  });
  const { sent } = await stage.enter({ token: 'ada' });
  expect([reads, sent()]).toEqual([
    2,
    [
      {
        op: 'READY',
        d: { ...own(2), ...NOTHING, streams: { lobby: at(0, 'E'), [OWN]: at(1) } },
      },
    ],
  ]);
  const busy = openStage({
    events: 0,
    accounts: {
      async describe() {
        busy.publish(OWN);
        return own(1);
      },
    },
  });
  expect((await busy.enter({ token: 'ada' })).sent()).toEqual([]);
  expect(busy.reasons()).toEqual(['server_error']);
});

test('[GP7] a client that resumes gets RESUMED with its own places, and exactly what it has missed', async () => {
  const { enter, publish, post } = openStage({
    accounts: { describe: () => Promise.reject(new Error('nothing is read')) },
  });
  for (let count = 0; count < 3; count += 1) {
    publish(OWN);
    post();
  }
  const resume = { lobby: at(1, 'E'), [OWN]: at(2) };
  const { sent } = await enter({ token: 'ada', resume });
  publish(OWN);
  const [resumed, ...missed] = sent();
  expect(resumed).toEqual({
    op: 'RESUMED',
    d: { recovered: ['lobby', OWN], lost: [], streams: resume },
  });
  const placed = missed.map(({ t, s }) => [t, s]);
  expect(placed.filter(([stream]) => stream === OWN)).toEqual([3, 4].map((s) => [OWN, s]));
  expect(placed.filter(([stream]) => stream === 'lobby')).toEqual([2, 3].map((s) => ['lobby', s]));
  for (const event of sent()) accountEventSchema.parse(event);
});

test('[GP8] without the place in the own stream the answer is READY, which names what continues', async () => {
  const { enter, publish, post } = openStage();
  publish(OWN);
  post();
  const answers: unknown[] = [];
  for (const place of [undefined, at(1, 'another'), at(2), at(-1), ['E-0'], 'x', null]) {
    const { sent } = await enter({ token: 'ada', resume: { lobby: at(0, 'E'), [OWN]: place } });
    answers.push(sent());
  }
  const streams = { lobby: at(0, 'E'), [OWN]: at(1) };
  for (const answer of answers) {
    expect(answer).toEqual([
      { op: 'READY', d: { ...own(1), ...NOTHING, recovered: ['lobby'], streams } },
      { op: 'MESSAGE_DELETE', t: 'lobby', s: 1, d: { id: ADA } },
    ]);
  }
  const { sent } = await enter({ token: 'ada', resume: {} }, '192.0.2.2');
  expect(sent()[0].d.recovered).toEqual([]);
});

test('[GP9] what cannot be followed is lost, whether it exists or not, and nothing of it is sent', async () => {
  const { enter, publish, post } = openStage();
  publish('u:7');
  const resume = { 'u:7': at(0), 'u:8': at(0), 'c:1': 'x', '': at(0), lobby: at(9, 'E') };
  const guest = await enter({ resume });
  const user = await enter({ token: 'ada', resume: { ...resume, [OWN]: at(0) } });
  publish('u:7');
  post();
  const lobby = at(0, 'E');
  const lost = ['u:7', 'u:8', 'c:1', '', 'lobby'];
  const event = { op: 'MESSAGE_DELETE', t: 'lobby', s: 1, d: { id: ADA } };
  expect(guest.sent()).toEqual([
    { op: 'RESUMED', d: { recovered: [], lost, streams: { lobby } } },
    event,
  ]);
  expect(user.sent()).toEqual([
    { op: 'RESUMED', d: { recovered: [OWN], lost, streams: { lobby, [OWN]: at(0) } } },
    event,
  ]);
});

test('[GP9] names that mean something to the language are names like any other', async () => {
  const { enter } = openStage();
  const resume = JSON.parse('{"__proto__":["E",0],"constructor":["E",0],"lobby":["E",0]}');
  const { sent } = await enter({ resume });
  const [{ op, d }] = sent();
  expect([op, d.recovered, d.lost.includes('constructor')]).toEqual(['RESUMED', ['lobby'], true]);
  expect(d.streams).toEqual({ lobby: at(0, 'E') });
});

test('[GP7] a client that has seen more at another gateway waits until that has arrived here', async () => {
  const stage = openStage({ caughtUp: () => stage.publish(OWN) });
  const { sent } = await stage.enter({ token: 'ada', resume: { lobby: at(0, 'E'), [OWN]: at(1) } });
  expect(sent()[0].d.recovered).toEqual(['lobby', OWN]);
});

const NO_CREDENTIALS: readonly (readonly [unknown])[] = [
  [{ token: 'eve' }],
  [{ token: '' }],
  [{ token: 7 }],
  [{ token: null }],
  [{ token: ['ada'] }],
  [null],
  [[]],
  ['ada'],
  [7],
];

test.each(NO_CREDENTIALS)(
  '[GP10] a client that authenticates with %j is closed and never becomes a guest',
  async (d) => {
    const { enter, reasons, post } = openStage();
    const { sent } = await enter(d);
    post();
    expect([sent(), reasons()]).toEqual([[], ['unauthorized']]);
  },
);

test.each([{ resume: 'x' }, { resume: [1] }, { resume: null }, { resume: 7, online: 1 }, {}])(
  '[GP3][GP9] a guest with %j is let in as if it did not resume',
  async (d) => {
    const { enter, entered } = openStage();
    const { sent } = await enter(d);
    expect(sent()).toEqual([{ op: 'READY', d: { streams: { lobby: at(0, 'E') } } }]);
    expect(entered).toEqual([{ version: 2, stage: 'in', session: undefined }]);
  },
);

test('[GP15] only the first AUTHENTICATE counts, also while it is in work', async () => {
  const { connect, authenticator, members } = openStage();
  const { socket, profile, log } = connect();
  authenticator.take(socket, profile, {});
  authenticator.take(socket, profile, { token: 'ada' });
  for (let turns = 0; turns < 5; turns += 1) await turn();
  authenticator.take(socket, profile, { token: 'ada' });
  for (let turns = 0; turns < 5; turns += 1) await turn();
  expect(log.map((text) => JSON.parse(text).op)).toEqual(['HELLO', 'READY']);
  expect(members).toEqual([]);
});

test('[GP13] a session that ends while its client is let in does not keep the connection', async () => {
  let checks = 0;
  const stage = openStage({
    accounts: {
      async check() {
        checks += 1;
        if (checks > 1) throw new UnauthorizedError('token_ended');
        return HOLDER;
      },
    },
  });
  await stage.enter({ token: 'ada' });
  expect(stage.reasons()).toEqual(['unauthorized']);
  expect(stage.members).toEqual([`+${SESSION}`, `-${SESSION}`]);
});

test('[GP13] a session whose second check fails is looked up later, and the first check has to succeed', async () => {
  let isAway = false;
  const stage = openStage({
    accounts: {
      async check() {
        if (isAway) throw new Error('the database is away');
        isAway = true;
        return HOLDER;
      },
    },
  });
  const { sent } = await stage.enter({ token: 'ada' });
  expect([sent()[0].op, stage.doubted, stage.reasons()]).toEqual(['READY', [SESSION], []]);
  await stage.enter({ token: 'ada' });
  expect(stage.reasons()).toEqual(['server_error']);
});

test('[GP11] a user and a guest may connect as often as gateway_connect allows, and are then asked to wait', async () => {
  const { enter, reasons, closed, clock } = openStage();
  const { limit, reset_after } = owner.settings.rest.limits.gateway_connect;
  for (let count = 0; count < limit; count += 1) {
    await enter({ token: 'ada' }, `192.0.2.${count}`);
    await enter(undefined, '198.51.100.1');
  }
  expect(reasons()).toEqual([]);
  clock.advance(1_000);
  await enter({ token: 'ada' }, '203.0.113.1');
  await enter(undefined, '198.51.100.1');
  expect(reasons()).toEqual(['rate_limited', 'rate_limited']);
  for (const [{ data }] of closed) expect(data.retryAt).toBe(reset_after * 1_000);
  await enter(undefined, '198.51.100.2');
  expect(reasons()).toHaveLength(2);
});

test('[GP16] if too many have not authenticated, the first of them is closed', async () => {
  const { connect, closed, authenticator, reasons } = openStage();
  const [first, second, third] = [connect(), connect(), connect()];
  authenticator.take(first.socket, first.profile, {});
  authenticator.leave(second.socket);
  for (let count = 0; count < 4_095; count += 1) connect();
  expect(closed).toEqual([]);
  connect();
  expect([closed[0]?.[0] === third.socket, reasons()]).toEqual([true, ['full']]);
});

test('[GP17] a client that asks for the number of connections and the pauses is marked before it enters', async () => {
  const { enter, entered } = openStage();
  await enter({ online: true, pauses: true });
  await enter({ online: 'true', pauses: 1 });
  const profile = { version: 2, stage: 'in', session: undefined };
  expect(entered).toEqual([{ ...profile, online: true, pauses: true }, profile]);
});

test.each([
  ['open', ['lobby'], ['lobby', OWN]],
  ['accounts', [], ['lobby', OWN]],
  ['off', [], [OWN]],
] as const)(
  '[GP18] if the lobby is %s, guests follow %j and users %j',
  async (lobby, guest, user) => {
    const { enter, post } = openStage({ lobby });
    const clients = [await enter({ resume: { lobby: at(0, 'E') } }), await enter({ token: 'ada' })];
    post();
    for (const [index, streams] of [guest, user].entries()) {
      const [answer, ...events] = clients[index]?.sent() ?? [];
      expect(Object.keys(answer.d.streams)).toEqual([...streams]);
      expect(events.length).toBe(streams.some((stream) => stream === 'lobby') ? 1 : 0);
    }
  },
);

test('[GP18] if the lobby is not open, clients of profiles 0 and 1 are connected and sent nothing of it', () => {
  const { streams, post, connect } = openStage({ lobby: 'accounts' });
  const { socket, log } = connect();
  const documented = { ...socket, data: { ...socket.data, profile: { version: 0 } as const } };
  const resume = { epoch: 'E', position: 0 };
  const first = { ...socket, data: { ...socket.data, profile: { version: 1, resume } as const } };
  post();
  log.length = 0;
  for (const each of [documented, first]) streams.follow(each);
  post();
  expect(log.map((text) => JSON.parse(text))).toEqual([
    {
      op: 'HELLO',
      d: { v: 1, heartbeat_interval: 45_000, epoch: '', s: 0, recovered: false },
    },
  ]);
});

test('[GC3][GC3a][GC6] a user who comes back continues the streams of communities without a query, as long as nothing has changed', async () => {
  const [garden, other] = [id(50), id(51)];
  let asked = 0;
  const community = {
    id: garden,
    owner_id: other,
    visibility: 'private',
    is_deleted: false,
  } as const;
  const stage = openStage({
    accounts: {
      async followed() {
        asked += 1;
        const membership = { communityId: garden, userId: ADA, nickname: '', roleIds: [] };
        const member = { ...membership, joinedAtMs: 1, timedOutUntilMs: 0, version: 1 };
        return followedIn({
          communities: new Map([[garden, { ...community, roles: new Map(), restricted: [] }]]),
          members: new Map([[ADA, [member]]]),
        });
      },
    },
  });
  const stream = `c:${garden}`;
  const first = await stage.enter({ token: 'ada' });
  expect(first.sent()[0].d.streams).toEqual({ lobby: at(0, 'E'), [OWN]: at(0), [stream]: at(0) });
  stage.authenticator.leave(first.socket);
  stage.publish(stream);
  const resume = { [OWN]: at(0), [stream]: at(0) };
  const back = await stage.enter({ token: 'ada', resume });
  expect([asked, back.sent()[0].op, back.sent()[0].d.recovered]).toEqual([
    1,
    'RESUMED',
    [OWN, stream],
  ]);
  expect(back.sent().slice(1)).toMatchObject([{ t: stream, s: 1 }]);
  // Without its place the client does not know the community, so everything is read.
  const without = await stage.enter({ token: 'ada', resume: { [OWN]: at(0) } });
  expect([asked, without.sent()[0].op]).toEqual([2, 'READY']);
});
