import type { Benchmark, Row, Settings } from '../benchmark.ts';
import { HttpLoad } from '../load/http-load.ts';
import type { HttpRequest } from '../load/keep-alive.ts';
import { MESSAGE_BODY_WITH_NONCE, renewNonce } from '../load/message.ts';
import { MOST_ROUNDS } from '../load/moderator.ts';
import { mostSockets } from '../load/most-sockets.ts';
import { busyEmbedded, busyOnServers, type BusySize } from '../subjects/busy-place.ts';
import { areServersMissing } from '../subjects/servers.ts';
import { bunYardstick } from '../subjects/yardstick.ts';
import { BODY, comeToOnePlace, IN_FLIGHT, KINDS, type Crowding } from './crowding.ts';
import { takeLanes, type Lane } from './lanes.ts';

/** The first flood of each kind is not measured. */
const FLOODS = 11;

/** Each flood of each kind removes other people. */
const VICTIMS = KINDS.length * FLOODS * MOST_ROUNDS * 2;

const SIZE: BusySize = { people: 1_000, victims: VICTIMS, floods: FLOODS };
const SHORT_SIZE: BusySize = { people: IN_FLIGHT, victims: 64, floods: 2 };

const CROWDING: Crowding = { busyMs: 6_000, floodsMs: 4_000 };
const SHORT_CROWDING: Crowding = { busyMs: 100, floodsMs: 0 };

/** Measures what happens if many people come to one place. */
export const BUSY: Benchmark = {
  name: 'busy',
  about:
    'one channel with 64 posts in flight, and 1,000 messages, posts, comments, votes or joins at once',
  async *run(settings) {
    const wanted = settings.isShort ? SHORT_SIZE : SIZE;
    const size = { ...wanted, people: mostSockets(wanted.people, 2) };
    const crowding = settings.isShort ? SHORT_CROWDING : CROWDING;
    yield* costs(settings, size);
    yield* comeToOnePlace('embedded', busyEmbedded(size), { ...settings, ...crowding });
    if (areServersMissing) return;
    yield* comeToOnePlace('on PostgreSQL', busyOnServers(size), { ...settings, ...crowding });
  },
};

/** Measures the cost of a post if everybody posts to one channel. */
async function* costs(settings: Settings, size: BusySize): AsyncGenerator<Row> {
  await using resources = new AsyncDisposableStack();
  const { subject, place } = busyEmbedded(size);
  const hearth = resources.use(await subject.start());
  const yardstick = bunYardstick('bare Bun.serve echo', 'echo.ts');
  const echo = resources.use(await yardstick.start());
  const { people, floods } = place();
  const laneOf = (
    lane: Pick<Lane, 'subject' | 'running' | 'goal'>,
    requests: HttpRequest | readonly HttpRequest[],
    inFlight: number,
  ): Lane => ({ ...lane, load: resources.use(new HttpLoad(requests, inFlight)), samples: [] });
  const posts = (request: Pick<HttpRequest, 'body' | 'renew'>) => {
    const path = `/channels/${floods[0]?.channel}/messages`;
    return people.slice(0, IN_FLIGHT).map((authorization): HttpRequest => {
      const port = hearth.ports.rest;
      return { method: 'POST', port, path, headers: { authorization }, ...request };
    });
  };
  const ours = (what: string, most: number | undefined) => ({
    subject: `hearth: ${what}`,
    running: hearth,
    goal: most === undefined ? undefined : { most },
  });
  const echoed = { method: 'POST', port: echo.ports.rest, path: '/messages', body: BODY } as const;
  const withNonce = { body: MESSAGE_BODY_WITH_NONCE, renew: renewNonce };
  yield* takeLanes(
    [
      laneOf({ subject: yardstick.name, running: echo }, echoed, IN_FLIGHT),
      laneOf(ours('32 in flight', 5), posts({ body: BODY }), 32),
      laneOf(ours('64 in flight', undefined), posts({ body: BODY }), 64),
      laneOf(ours('32 in flight, with a nonce', 6), posts(withNonce), 32),
    ],
    { ...settings, work: 'POST to one channel' },
  );
}
