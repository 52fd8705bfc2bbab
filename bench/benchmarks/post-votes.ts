import { hasPostgres } from '@hearth/testing/servers/postgres-server';
import type { Benchmark } from '../benchmark.ts';
import { compare } from '../compare.ts';
import { HttpLoad } from '../load/http-load.ts';
import type { HttpRequest } from '../load/keep-alive.ts';
import { Pgbench } from '../load/pgbench.ts';
import { voteStatements } from '../load/vote-statements.ts';
import { HEARTH } from '../subjects/hearth.ts';
import { pgbenchProgram } from '../subjects/programs.ts';
import { areServersMissing, HEARTH_ON_SERVERS } from '../subjects/servers.ts';
import { bunYardstick } from '../subjects/yardstick.ts';
import { ask, register } from './asked.ts';

const VOTERS = 64;
const FEW_VOTERS = 8;
const BODY = '{"value":1}';

/** Votes that change each time, by 64 people at once. */
export const POST_VOTES: Benchmark = {
  name: 'post-votes',
  about:
    'votes of 64 people at once for one post and for 64: embedded against the echo, on PostgreSQL against pgbench',
  async *run(settings) {
    const voters = settings.isShort ? FEW_VOTERS : VOTERS;
    const places = [
      { work: `${voters} people vote for one post`, posts: 1 },
      { work: `${voters} people vote for 64 posts`, posts: 64 },
    ] as const;
    for (const { work, posts } of places) {
      yield* compare(
        {
          work,
          operation: 'votes',
          measure: 'cpu',
          ours: HEARTH,
          goal: { most: 4 },
          yardsticks: [bunYardstick('bare Bun.serve echo', 'echo.ts')],
          load: async ({ ports: { rest: port } }, { name }) =>
            new HttpLoad(
              name === HEARTH.name ? await votesAt(port, { voters, posts }) : echo(port),
              voters,
            ),
        },
        settings,
      );
    }
    if (areServersMissing || !hasPostgres || pgbenchProgram() === undefined) return;
    for (const { work, posts } of places) {
      const pgbench = new Pgbench(voteStatements(posts));
      yield* compare(
        {
          work: `${work} on PostgreSQL and Redis`,
          operation: 'votes',
          measure: 'rate',
          ours: HEARTH_ON_SERVERS,
          yardsticks: [pgbench.subject],
          goal: { least: 0.5 },
          load: async ({ ports: { rest: port } }, { name }) =>
            name === pgbench.subject.name
              ? await pgbench.load(voters)
              : new HttpLoad(await votesAt(port, { voters, posts }), voters),
        },
        settings,
      );
    }
  },
};

function echo(port: number): HttpRequest {
  return { method: 'POST', port, path: '/messages', body: BODY };
}

/** The votes of members of a community, each with an account. */
async function votesAt(
  port: number,
  { voters, posts }: { readonly voters: number; readonly posts: number },
): Promise<readonly HttpRequest[]> {
  const authorization = await register(port, 'author');
  const given = { name: 'Bench', slug: 'bench', visibility: 'public', join: 'open' };
  const { id } = await ask(port, { path: '/communities', body: given, authorization });
  const path = `/communities/${id}/channels`;
  const body = { kind: 'posts', name: 'posts' };
  const channel = await ask(port, { path, body, authorization });
  const ids: (string | undefined)[] = [];
  for (let at = 0; at < posts; at += 1) {
    const post = { path: `/channels/${channel.id}/posts`, body: { title: `Post ${at}` } };
    ids.push((await ask(port, { ...post, authorization })).id);
  }
  const requests: HttpRequest[] = [];
  for (let at = 0; at < voters; at += 1) {
    const headers = { authorization: await register(port, `voter${at}`) };
    const joining = { method: 'PUT', path: `/communities/${id}/members/me`, body: {} };
    await ask(port, { ...joining, ...headers });
    const where = `/posts/${ids[at % posts]}/vote`;
    requests.push({ method: 'PUT', port, path: where, headers, body: BODY, renew: changeMind });
  }
  return requests;
}

/** Takes back the vote of the last request, or votes again. */
function changeMind(request: Uint8Array): void {
  const at = request.length - 2;
  request[at] = request[at] === ZERO ? ZERO + 1 : ZERO;
}

const ZERO = '0'.charCodeAt(0);
