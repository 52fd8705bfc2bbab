import { LOBBY_STREAM, type Id, type OwnCommunity, type ReadState } from '@hearth/protocol';
import { manualClock, type ManualClock } from '@hearth/testing/manual-clock';
import { Api, type ApiRequest } from '../../src/api.ts';
import { listReadStates } from '../../src/channels/reading.ts';
import { readOwnCommunity } from '../../src/communities/own-communities.ts';
import { CommunitiesPart } from '../../src/communities/part.ts';
import type { PartHost } from '../../src/part-host.ts';
import type { Place } from '../../src/conversation/conversation.ts';
import type { StreamsListener } from '../../src/gateway/other-streams.ts';
import { createSession } from '../../src/session.ts';
import type { ClientEvents } from '../../src/types.ts';
import { ME } from './communities.ts';

/** A part for communities with a gateway and a REST service that a test plays. */
export interface FakeHost {
  readonly part: CommunitiesPart;
  readonly clock: ManualClock;
  /** The requests so far, such as `GET /channels/110/messages?limit=50`. */
  readonly asked: string[];
  /** The requests that outlive the page. */
  readonly outliving: string[];
  /** Payloads that were sent to the gateway. */
  readonly sent: object[];
  /** The answers to requests whose line begins like this; others are a NotFoundError. */
  readonly answers: Map<string, (body: string) => unknown>;
  readonly listener: StreamsListener;
  readonly places: Map<string, Place>;
  ready(state?: Partial<FakeReady>): void;
  /** The gateway goes on where it was, but for these streams, which begin at another place. */
  resumed(...lost: readonly string[]): void;
  /** An event of a stream, at its next position. */
  event(stream: string, op: string, d: object): void;
  /** An event of something that is only watched. */
  watched(op: string, d: object): void;
  on<Name extends keyof ClientEvents>(
    name: Name,
    listener: (event: ClientEvents[Name]) => void,
  ): void;
  /** Calls `listener` with every request before it is made. */
  onRequest(listener: (request: Asked) => void): void;
  /** Answers what the part reads by itself. */
  readOwn(id: Id): Promise<unknown>;
  readStates(): Promise<unknown>;
  end(): void;
}

/** A request in the terms of its route. */
type Asked = Pick<ApiRequest<string, unknown>, 'method' | 'path' | 'limit' | 'isRepeatable'> & {
  readonly params?: unknown;
};

/** The REST service, with a listener. */
class HeardApi extends Api {
  hear: (request: Asked) => void = () => undefined;

  override request<const Path extends string, Answer>(
    request: ApiRequest<Path, Answer>,
  ): Promise<Answer> {
    this.hear(request);
    return super.request(request);
  }

  override requestWithHeaders<const Path extends string, Answer>(
    request: ApiRequest<Path, Answer>,
  ): Promise<{ readonly answer: Answer; readonly headers: Headers }> {
    this.hear(request);
    return super.requestWithHeaders(request);
  }
}

interface FakeReady {
  readonly communities: readonly OwnCommunity[];
  readonly read_states: readonly ReadState[];
}

/** Makes one that is not connected. */
export function fakeHost(): FakeHost {
  const clock = manualClock();
  const asked: string[] = [];
  const outliving: string[] = [];
  const answers: FakeHost['answers'] = new Map();
  const sent: object[] = [];
  const places = new Map<string, Place>();
  const session = createSession({
    clock,
    random: () => 0,
    async fetch(url, init) {
      const line = `${init?.method ?? 'GET'} ${url.replace('http://x', '')}`;
      asked.push(line);
      if (init?.keepalive === true) outliving.push(line);
      const key = [...answers.keys()].findLast((beginning) => line.startsWith(beginning));
      const body = typeof init?.body === 'string' ? init.body : '';
      const found = key === undefined ? undefined : answers.get(key);
      const answer: unknown = await found?.(body);
      if (answer instanceof Response) return answer;
      if (found !== undefined) return Response.json(answer);
      return Response.json({ status: 404, message: 'no' }, { status: 404 });
    },
  });
  const { events, life, random } = session;
  const lent: { listener: StreamsListener | undefined } = { listener: undefined };
  const api = new HeardApi(session.anonymousHttp, 'http://x');
  const host: PartHost = {
    api,
    clock,
    random,
    life: life.signal,
    events,
    ownId: () => ME.id,
    caughtUp: async () => undefined,
    keepOpen: () => undefined,
    open: async () => undefined,
    send: (payload) => void sent.push(payload),
    attach: (listener) => void (lent.listener = listener),
  };
  const part = new CommunitiesPart(host);
  const { listener } = lent;
  if (listener === undefined) throw new Error('a part listens');
  const opening = { profile: 2, user: undefined, session: undefined } as const;
  return {
    part,
    clock,
    asked,
    outliving,
    sent,
    answers,
    listener,
    places,
    ready({ communities = [], read_states = [] } = {}) {
      const ready = { communities, read_states, streams: {} };
      listener.opened({ ...opening, places: new Map(places), ready, lost: [] });
    },
    resumed(...lost) {
      for (const stream of lost) {
        const place = places.get(stream);
        if (place !== undefined) places.set(stream, { epoch: `${place.epoch}'`, s: place.s + 100 });
      }
      listener.opened({ ...opening, places: new Map(places), ready: undefined, lost });
    },
    event(stream, op, d) {
      const { epoch, s } = places.get(stream) ?? { epoch: 'e', s: 0 };
      places.set(stream, { epoch, s: s + 1 });
      listener.event({ op: 'unknown', t: stream, s: s + 1, raw: { op, t: stream, s: s + 1, d } });
    },
    watched: (op, d) => listener.event({ op: 'unknown', raw: { op, d } }),
    on: (name, each) => void events.on(name, each),
    onRequest: (each) => void (api.hear = each),
    readOwn: (id) => readOwnCommunity(api, id),
    readStates: () => listReadStates(api),
    end: () => life.abort(),
  };
}

/** Places of the streams that a member of community 100 follows. */
export const GARDEN_PLACES: readonly (readonly [string, Place])[] = [
  [LOBBY_STREAM, { epoch: 'e', s: 0 }],
  ['u:1', { epoch: 'e', s: 5 }],
  ['c:100', { epoch: 'e', s: 10 }],
];
