import type { Benchmark, Goal, Row, Settings } from '../benchmark.ts';
import { compare } from '../compare.ts';
import { HttpLoad } from '../load/http-load.ts';
import type { HttpRequest } from '../load/keep-alive.ts';
import { MESSAGE_BODY } from '../load/message.ts';
import { HEARTH, HEARTH_WITHOUT_HISTORY } from '../subjects/hearth.ts';
import { areServersMissing, HEARTH_ON_SERVERS } from '../subjects/servers.ts';
import type { Subject } from '../subjects/subject.ts';
import { bunYardstick } from '../subjects/yardstick.ts';

const CONNECTIONS = 32;

const POST_REQUEST = {
  method: 'POST',
  path: '/messages',
  body: MESSAGE_BODY,
  answer: Buffer.from(MESSAGE_BODY),
} as const;

/** `POST /messages` on keep-alive connections without listeners: with the history, which is the default, and without. */
export const POST: Benchmark = {
  name: 'post',
  about: 'POST /messages, keep-alive, 32 connections, with the history and without',
  async *run(settings) {
    const work = 'POST /messages, keep-alive, 32 connections';
    const request = POST_REQUEST;
    yield* restRows({ work, request, ours: HEARTH, goal: { least: 0.65 } }, settings);
    yield* restRows(
      {
        work: `${work}, no history`,
        request,
        ours: HEARTH_WITHOUT_HISTORY,
        goal: { least: 0.7 },
      },
      settings,
    );
  },
};

/** Posts with PostgreSQL and Redis, compared with embedded. Redis counts each post, numbers it and keeps it. */
export const POST_SERVERS: Benchmark = {
  name: 'post-servers',
  about: 'POST /messages, keep-alive, 32 connections, on PostgreSQL and Redis against embedded',
  async *run(settings) {
    if (areServersMissing) return;
    yield* compare(
      {
        work: 'POST /messages on servers, keep-alive, 32 connections',
        operation: 'requests',
        measure: 'cpu',
        ours: HEARTH_ON_SERVERS,
        yardsticks: [HEARTH],
        goal: { most: 2.2 },
        load: async ({ ports }) => new HttpLoad({ ...POST_REQUEST, port: ports.rest }, CONNECTIONS),
      },
      settings,
    );
  },
};

/** `GET /` on keep-alive connections. */
export const INFO: Benchmark = {
  name: 'info',
  about: 'GET / of the REST service, keep-alive, 32 connections',
  run: (settings) =>
    restRows(
      {
        work: 'GET / of the REST service, keep-alive, 32 connections',
        request: { method: 'GET', path: '/' },
        ours: HEARTH,
        goal: { least: 0.75 },
      },
      settings,
    ),
};

interface RestWork {
  readonly work: string;
  readonly request: Omit<HttpRequest, 'port'>;
  readonly ours: Subject;
  /** The goal for the ratio to the echo. */
  readonly goal: Goal;
}

function restRows(
  { work, request, ours, goal }: RestWork,
  settings: Settings,
): AsyncGenerator<Row> {
  return compare(
    {
      work,
      operation: 'requests',
      measure: 'rate',
      ours,
      yardsticks: [
        bunYardstick('bare Bun.serve echo', 'echo.ts'),
        bunYardstick('prepared echo', 'echo.ts', 'prepared'),
      ],
      goal,
      load: async ({ ports }) => new HttpLoad({ ...request, port: ports.rest }, CONNECTIONS),
    },
    settings,
  );
}
