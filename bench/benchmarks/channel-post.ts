import { hasPostgres } from '@hearth/testing/servers/postgres-server';
import type { Benchmark } from '../benchmark.ts';
import { compare } from '../compare.ts';
import { CHANNEL_STATEMENTS } from '../load/channel-statements.ts';
import { HttpLoad } from '../load/http-load.ts';
import type { HttpRequest } from '../load/keep-alive.ts';
import { MESSAGE, MESSAGE_BODY_WITH_NONCE, renewNonce } from '../load/message.ts';
import { Pgbench } from '../load/pgbench.ts';
import { HEARTH } from '../subjects/hearth.ts';
import { pgbenchProgram } from '../subjects/programs.ts';
import { areServersMissing, HEARTH_ON_SERVERS } from '../subjects/servers.ts';
import { bunYardstick } from '../subjects/yardstick.ts';
import { ask, register } from './asked.ts';

const CHANNELS = 64;
const BODY = JSON.stringify({ content: MESSAGE.content });

/** Durable posts to 64 channels of a community, one in flight to each. */
export const CHANNEL_POST: Benchmark = {
  name: 'channel-post',
  about:
    'durable posts to 64 channels, 64 in flight: embedded against the echo, on PostgreSQL against pgbench',
  async *run(settings) {
    const operation = 'posts';
    for (const { work, ...body } of [
      { work: 'POST to 64 channels, 64 in flight', body: BODY },
      {
        work: 'POST to 64 channels with a nonce, 64 in flight',
        body: MESSAGE_BODY_WITH_NONCE,
        renew: renewNonce,
      },
    ]) {
      yield* compare(
        {
          work,
          operation,
          measure: 'cpu',
          ours: HEARTH,
          yardsticks: [bunYardstick('bare Bun.serve echo', 'echo.ts')],
          goal: { most: 4 },
          load: async ({ ports: { rest: port } }, { name }) =>
            new HttpLoad(name === HEARTH.name ? await postsTo(port, body) : echo(port), CHANNELS),
        },
        settings,
      );
    }
    if (areServersMissing || !hasPostgres || pgbenchProgram() === undefined) return;
    const pgbench = new Pgbench(CHANNEL_STATEMENTS);
    yield* compare(
      {
        work: 'POST to 64 channels on PostgreSQL and Redis, 64 in flight',
        operation,
        measure: 'rate',
        ours: HEARTH_ON_SERVERS,
        yardsticks: [pgbench.subject],
        goal: { least: 0.5 },
        load: async ({ ports: { rest: port } }, { name }) =>
          name === pgbench.subject.name
            ? await pgbench.load(CHANNELS)
            : new HttpLoad(await postsTo(port, { body: BODY }), CHANNELS),
      },
      settings,
    );
  },
};

function echo(port: number): HttpRequest {
  return { method: 'POST', port, path: '/messages', body: BODY };
}

/** A post to each of the channels of a community that somebody makes. */
async function postsTo(
  port: number,
  body: Pick<HttpRequest, 'body' | 'renew'>,
): Promise<readonly HttpRequest[]> {
  const authorization = await register(port, 'ada');
  const given = { name: 'Bench', slug: 'bench' };
  const { id } = await ask(port, { path: '/communities', body: given, authorization });
  const requests: HttpRequest[] = [];
  for (let at = 0; at < CHANNELS; at += 1) {
    const channel = { kind: 'messages', name: `channel-${at}` };
    const where = `/communities/${id}/channels`;
    const made = await ask(port, { path: where, body: channel, authorization });
    const path = `/channels/${made.id}/messages`;
    requests.push({ method: 'POST', port, path, headers: { authorization }, ...body });
  }
  return requests;
}
