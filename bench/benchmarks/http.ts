import type { Benchmark, Goal } from '../benchmark.ts';
import { compare } from '../compare.ts';
import { HttpLoad } from '../load/http-load.ts';
import type { HttpRequest } from '../load/keep-alive.ts';
import { MESSAGE_BODY } from '../load/message.ts';
import { HEARTH } from '../subjects/hearth.ts';
import { bunYardstick } from '../subjects/yardstick.ts';

const CONNECTIONS = 32;

/** `POST /messages` on keep-alive connections, nobody listening. */
export const POST = restBenchmark({
  name: 'post',
  about: 'POST /messages, keep-alive, 32 connections',
  goal: { least: 0.7 },
  request: {
    method: 'POST',
    path: '/messages',
    body: MESSAGE_BODY,
    answer: Buffer.from(MESSAGE_BODY),
  },
});

/** `GET /` likewise. */
export const INFO = restBenchmark({
  name: 'info',
  about: 'GET / of the REST service, keep-alive, 32 connections',
  goal: { least: 0.75 },
  request: { method: 'GET', path: '/' },
});

function restBenchmark(parts: {
  readonly name: string;
  readonly about: string;
  readonly goal: Goal;
  readonly request: Omit<HttpRequest, 'port'>;
}): Benchmark {
  const { name, about, goal, request } = parts;
  return {
    name,
    about,
    run: (settings) =>
      compare(
        {
          work: about,
          operation: 'requests',
          measure: 'rate',
          ours: HEARTH,
          yardsticks: [
            bunYardstick('bare Bun.serve echo', 'echo.ts'),
            bunYardstick('prepared echo', 'echo.ts', 'prepared'),
          ],
          goal,
          load: async ({ ports }) => new HttpLoad({ ...request, port: ports.rest }, CONNECTIONS),
        },
        settings,
      ),
  };
}
