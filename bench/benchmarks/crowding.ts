import type { Id } from '@hearth/protocol';
import type { Goal, Row, Settings } from '../benchmark.ts';
import { Bystander } from '../load/bystander.ts';
import { Crowd, type Asked, type CrowdFigures } from '../load/crowd.ts';
import { MESSAGE } from '../load/message.ts';
import { ACT_MS, Moderator, type Acts, type Moderated } from '../load/moderator.ts';
import { ownCpuSeconds } from '../load/own-cpu.ts';
import { median, percentile } from '../statistics.ts';
import type { BusyPlace, BusySubject, Flooded } from '../subjects/busy-place.ts';
import type { RunningSubject } from '../subjects/subject.ts';
import { bunYardstick } from '../subjects/yardstick.ts';

export interface Crowding {
  /** The time that posts are kept in flight, and that a bystander posts alone. */
  readonly busyMs: number;
  /** No flood begins later than so long after the first one of its kind. */
  readonly floodsMs: number;
}

/** Posts that are kept in flight. */
export const IN_FLIGHT = 64;
export const BODY = JSON.stringify({ content: MESSAGE.content });
const POST_BODY = JSON.stringify({ title: 'A post of a crowd', content: MESSAGE.content });

/** The longest time that a flood may take. */
const MOST_FLOOD_MS = 15_000;

/** The number of people who come at once before anything is measured, so that the code is compiled. */
const FIRST_PEOPLE = 200;

const NONE: Goal = { most: 0 };
const POSTS_GOAL: Goal = { least: 500 };
const MICROSECONDS_A_SECOND = 1e6;

/** The goal for a bystander's p99, by what it is while nothing else happens. */
const bystanderGoal = (quietMs: number): Goal => ({ most: Math.round(3 * quietMs + 20) });

interface Kind {
  readonly name: string;
  /** The goal for how many are acknowledged each second. */
  readonly goal?: Goal;
  readonly asked: (flooded: Flooded) => Asked;
  readonly where: (flooded: Flooded, community: Id) => Moderated;
}

const ofCommunity = ({ channel }: Flooded, community: Id) => ({ community, channel });

export const KINDS: readonly Kind[] = [
  {
    name: 'posts to one channel',
    goal: POSTS_GOAL,
    asked: ({ channel }) => postTo(channel),
    where: ofCommunity,
  },
  {
    name: 'posts to one forum',
    goal: POSTS_GOAL,
    asked: ({ forum }) => ({ method: 'POST', path: `/channels/${forum}/posts`, body: POST_BODY }),
    where: ({ forum: channel }, community) => ({ community, channel }),
  },
  {
    name: 'comments on one post',
    asked: ({ post }) => ({ method: 'POST', path: `/posts/${post}/comments`, body: BODY }),
    where: ofCommunity,
  },
  {
    name: 'votes for one post',
    asked: ({ post }) => ({ method: 'PUT', path: `/posts/${post}/vote`, body: '{"value":1}' }),
    where: ofCommunity,
  },
  {
    name: 'joins of one community',
    asked: ({ joined }) => {
      return { method: 'PUT', path: `/communities/${joined.community}/members/me`, body: '{}' };
    },
    where: ({ joined }) => joined,
  },
];

/** A running instance, and the people with their parts. */
interface Scene {
  readonly engine: string;
  readonly subject: string;
  readonly running: RunningSubject;
  readonly place: BusyPlace;
  readonly crowd: Crowd;
  readonly people: number;
  readonly bystander: Bystander;
  /** Somebody who posts to a bare echo meanwhile: nobody can be answered sooner than the machine lets anything be. */
  readonly echoed: Bystander;
  readonly moderator: Moderator;
  /** The bystander's p99 while nothing else happens. */
  readonly quietMs: number;
}

/** Lets many people come to one place of an instance while a bystander posts elsewhere. */
export async function* comeToOnePlace(
  engine: string,
  { subject, place: placeOf }: BusySubject,
  settings: Settings & Crowding,
): AsyncGenerator<Row> {
  await using resources = new AsyncDisposableStack();
  const running = resources.use(await subject.start());
  const place = placeOf();
  const { rest, rests: ports = [rest] } = running.ports;
  const crowd = resources.use(new Crowd(ports, place.people));
  const { authorization, channel } = place.bystander;
  const bystander = resources.use(
    new Bystander({ ports, path: `/channels/${channel}/messages`, authorization }),
  );
  const yardstick = bunYardstick('bare Bun.serve echo', 'echo.ts');
  const echo = resources.use(await yardstick.start());
  const echoed = resources.use(
    new Bystander({ ports: [echo.ports.rest], path: '/messages', authorization }),
  );
  const moderator = resources.use(new Moderator(ports, place.moderator));
  const [first] = place.floods;
  if (first === undefined) throw new Error('there is no channel');
  const keep = (milliseconds: number) =>
    crowd.keep(postTo(first.channel), { people: IN_FLIGHT, milliseconds });
  await crowd.prepare();
  await keep(settings.warmUpMs);
  const { posts: quiet } = await bystander.postDuring(() => Bun.sleep(settings.busyMs));
  const quietMs = percentile(quiet.milliseconds, 99);
  const who = { engine, subject: subject.name };
  yield {
    work: `a bystander ${engine} alone: p99`,
    subject: subject.name,
    value: quietMs,
    unit: 'ms',
  };
  const people = place.people.length;
  const scene = { ...who, running, place, crowd, people, bystander, echoed, moderator, quietMs };
  const busy = await measure(scene, () => keep(settings.busyMs));
  const work = `posts to one channel ${engine}, ${IN_FLIGHT} in flight`;
  yield* rowsOf(scene, { work, measured: [busy], goal: POSTS_GOAL });
  for (const [at, kind] of KINDS.entries()) yield* floodsOf(scene, { at, ...kind }, settings);
}

function postTo(channel: Id): Asked {
  return { method: 'POST', path: `/channels/${channel}/messages`, body: BODY };
}

/** Figures that were measured while a crowd did something. */
interface Measured extends CrowdFigures {
  readonly cpuSeconds: number;
  readonly serverSeconds: number;
  readonly bystanderMs: readonly number[];
  readonly bystanderFailed: number;
  readonly echoMs: readonly number[];
  readonly acts?: Acts;
}

async function measure(
  { running, bystander, echoed }: Scene,
  work: () => Promise<CrowdFigures & { readonly acts?: Acts }>,
): Promise<Measured> {
  const [serverBefore, loadBefore] = [running.cpuSeconds, ownCpuSeconds()];
  const { result: both, posts } = await bystander.postDuring(() => echoed.postDuring(work));
  const { result, posts: echoes } = both;
  return {
    ...result,
    cpuSeconds: ownCpuSeconds() - loadBefore,
    serverSeconds: running.cpuSeconds - serverBefore,
    bystanderMs: posts.milliseconds,
    bystanderFailed: posts.failed,
    echoMs: echoes.milliseconds,
  };
}

/** Floods of one kind, as many as there is time for. */
async function* floodsOf(
  scene: Scene,
  { at, name, goal, asked, where }: Kind & { readonly at: number },
  { floodsMs }: Crowding,
): AsyncGenerator<Row> {
  const { crowd, place, moderator, people } = scene;
  const [first, ...floods] = place.floods;
  if (first === undefined) throw new Error('there is nothing to come to');
  await crowd.prepare();
  await crowd.flood(asked(first), {
    mostMs: MOST_FLOOD_MS,
    people: Math.min(people, FIRST_PEOPLE),
  });
  const each = Math.floor(place.victims.length / (KINDS.length * floods.length));
  const measured: Measured[] = [];
  const startedAt = performance.now();
  for (const [number, flooded] of floods.entries()) {
    if (number > 0 && performance.now() - startedAt > floodsMs) break;
    await crowd.prepare();
    await moderator.prepare();
    const begin = (at * floods.length + number) * each;
    const victims = place.victims.slice(begin, begin + each);
    measured.push(
      await measure(scene, async () => {
        const flood = crowd.flood(asked(flooded), { mostMs: MOST_FLOOD_MS, people });
        const acting = moderator.actDuring(flood, where(flooded, place.community), victims);
        const [figures, acts] = await Promise.all([flood, acting]);
        return { ...figures, acts };
      }),
    );
  }
  const work = `${people.toLocaleString('en')} ${name} ${scene.engine} at once`;
  yield* floodRows(scene, { work, measured, goal });
}

interface Work {
  readonly work: string;
  readonly measured: readonly Measured[];
  readonly goal: Goal | undefined;
}

function rowsOf({ subject, quietMs, running }: Scene, { work, measured, goal }: Work): Row[] {
  const sum = (figure: (each: Measured) => number) =>
    measured.reduce((total, each) => total + figure(each), 0);
  const row = (what: string, figures: Omit<Row, 'work' | 'subject'>): Row => {
    return { work: `${work}: ${what}`, subject, ...figures };
  };
  const acknowledged = sum((each) => each.acknowledged);
  const failed = sum((each) => each.failed);
  const seconds = sum(({ milliseconds }) => milliseconds) / 1_000;
  const serverSeconds = sum((each) => each.serverSeconds);
  const bystanderMs = measured.flatMap((each) => each.bystanderMs);
  const bystanderFailed = sum((each) => each.bystanderFailed);
  return [
    {
      work,
      subject,
      value: acknowledged / seconds,
      unit: 'acknowledged/s',
      cpuMicroseconds: (serverSeconds / acknowledged) * MICROSECONDS_A_SECOND,
      serverCores: serverSeconds / seconds,
      loadCores: sum(({ cpuSeconds }) => cpuSeconds) / seconds,
      residentBytes: running.residentBytes,
      ...(goal !== undefined && { goal }),
    },
    row('failed', { value: failed, unit: `of ${acknowledged + failed}`, goal: NONE }),
    row('answered 429', { value: sum(({ refusals }) => refusals), unit: 'times' }),
    row('p99 of a bystander', {
      value: percentile(bystanderMs, 99),
      unit: 'ms',
      goal: bystanderGoal(quietMs),
    }),
    row('p99 of a bare echo', {
      value: percentile(
        measured.flatMap(({ echoMs }) => echoMs),
        99,
      ),
      unit: 'ms',
    }),
    row('failed for a bystander', {
      value: bystanderFailed,
      unit: `of ${bystanderMs.length}`,
      goal: NONE,
    }),
  ];
}

function floodRows(scene: Scene, work: Work): Row[] {
  const { measured, work: name } = work;
  const { subject } = scene;
  const acts = measured.flatMap((each) => each.acts ?? []);
  const tried = acts.reduce((total, each) => total + each.tried, 0);
  const done = acts.reduce((total, each) => total + each.done, 0);
  return [
    ...rowsOf(scene, work),
    {
      work: `${name}: until the last answer`,
      subject,
      value: median(measured.map(({ milliseconds }) => milliseconds)),
      unit: 'ms',
    },
    {
      work: `${name}: kicks, bans and slow mode within ${ACT_MS / 1_000} s`,
      subject,
      value: done,
      unit: `of ${tried}`,
      goal: { least: tried },
    },
  ];
}
