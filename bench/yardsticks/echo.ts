import { instanceVersion, RATE_LIMIT_HEADERS, type InstanceInfo } from '@hearth/protocol';
import { COMMON_HEADERS } from '../../packages/server/src/http/respond.ts';
import { HEARTH_VERSION } from '../../packages/server/src/version.ts';

// The least that a server written for this runtime can do: the JSON that came goes back, with the headers that the
// instance sends, and nothing is checked, limited or counted.

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

const server = Bun.serve({
  hostname: '127.0.0.1',
  port: 0,
  development: false,
  async fetch(request) {
    const body: unknown = request.method === 'POST' ? await request.json() : INFO;
    return new Response(JSON.stringify(body), { headers: HEADERS });
  },
});
process.stdout.write(`${server.port}\n`);
