import { instanceVersion, RATE_LIMIT_HEADERS, type InstanceInfo } from '@hearth/protocol';
import { COMMON_HEADERS } from '../../packages/server/src/http/respond.ts';
import { HEARTH_VERSION } from '../../packages/server/src/lib/version.ts';

// A simple server for this runtime: it returns the JSON that it got, with the headers of an instance, and checks, limits
// and counts nothing. With the argument `prepared` it does the least possible work: it makes the headers once, and has the
// answer to a GET ready.

const HEADERS = {
  ...COMMON_HEADERS,
  'Content-Type': 'application/json',
  'Cache-Control': 'no-store',
  [RATE_LIMIT_HEADERS.reset]: '5000',
  [RATE_LIMIT_HEADERS.max]: '1000000000',
  [RATE_LIMIT_HEADERS.lastReset]: '1700000000000',
  [RATE_LIMIT_HEADERS.requestCount]: '123456',
};

const INFO: InstanceInfo = {
  instance_name: 'Hearth',
  description: null,
  version: instanceVersion(HEARTH_VERSION),
  message_limit: 2048,
  oprish_url: 'http://127.0.0.1:7159',
  pandemonium_url: 'ws://127.0.0.1:7160',
  effis_url: 'http://127.0.0.1:7161',
  file_size: 20_000_000,
  attachment_file_size: 1_000_000_000,
};

const PREPARED_HEADERS = new Headers(HEADERS);
const PREPARED_INFO = JSON.stringify(INFO);

const server = Bun.serve({
  hostname: '127.0.0.1',
  port: 0,
  development: false,
  fetch: process.argv[2] === 'prepared' ? answerPrepared : answer,
});
process.stdout.write(`${server.port}\n`);

async function answer(request: Request): Promise<Response> {
  const body: unknown = request.method === 'POST' ? await request.json() : INFO;
  return new Response(JSON.stringify(body), { headers: HEADERS });
}

function answerPrepared(request: Request): Response | Promise<Response> {
  if (request.method === 'POST') return echo(request);
  return new Response(PREPARED_INFO, { headers: PREPARED_HEADERS });
}

async function echo(request: Request): Promise<Response> {
  return new Response(JSON.stringify(await request.json()), { headers: PREPARED_HEADERS });
}
