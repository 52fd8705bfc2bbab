import { afterAll, beforeAll, describe, expect, setDefaultTimeout, test } from 'bun:test';
import { GatewayClient } from '@hearth/testing/clients/gateway-client';
import { hasPostgres } from '@hearth/testing/servers/postgres-server';
import { isRedisMissing } from '@hearth/testing/servers/redis-server';
import { IS_S3_SKIPPED } from '@hearth/testing/servers/s3-server';
import { until } from '@hearth/testing/until';
import { caddyProgram } from './support/caddy.ts';
import { startLikeCompose, type LikeCompose } from './support/like-compose.ts';

// Four servers and seven processes must start first.
setDefaultTimeout(300_000);

interface Placed {
  readonly op: string;
  readonly s: number;
  readonly d: { readonly id: string; readonly content: string };
}

interface Hello {
  readonly epoch: string;
  readonly s: number;
  readonly recovered: boolean | null;
}

const caddy = caddyProgram();
const isSkipped = caddy === undefined || !hasPostgres || isRedisMissing || IS_S3_SKIPPED;

describe.skipIf(isSkipped)('compose.scale.yaml, run with processes', () => {
  let instance: LikeCompose;

  beforeAll(async () => {
    instance = await startLikeCompose(caddy ?? '');
  });

  afterAll(() => instance?.[Symbol.asyncDispose]());

  const tryPost = async (content: string): Promise<boolean> => {
    const body = JSON.stringify({ author: 'someone', content });
    const answer = await fetch(`${instance.site}/api/messages`, { method: 'POST', body });
    await answer.bytes();
    return answer.status === 200;
  };
  const post = async (...contents: readonly string[]) => {
    for (const content of contents)
      expect([content, await tryPost(content)]).toEqual([content, true]);
  };
  const history = async (): Promise<readonly string[]> => {
    const answer = await fetch(`${instance.site}/api/messages?limit=100`);
    const newestFirst: readonly { content: string }[] = await answer.json();
    return newestFirst.map(({ content }) => content).toReversed();
  };
  const connect = (query = '', at = `${instance.site}/gateway`) =>
    GatewayClient.connect(`${at.replace('http', 'ws')}?v=1${query}`);

  test('the web client is served with the addresses of the components', async () => {
    const page = await (await fetch(instance.site)).text();
    expect(page).toContain(`"oprish_url":"${instance.site}/api"`);
  });

  test('feeds, the sitemap and the list of what programs may read are served', async () => {
    expect((await fetch(`${instance.site}/c/nobody.rss`)).status).toBe(404);
    expect(await (await fetch(`${instance.site}/sitemap.xml`)).text()).toContain('<urlset');
    const robots = await (await fetch(`${instance.site}/robots.txt`)).text();
    expect(robots).toContain(`${instance.site}/sitemap.xml`);
  });

  test('messages posted at one address are sent to the sockets of both gateways, also without one of them', async () => {
    // Caddy gives a socket to the gateway that has the fewest.
    const clients = [await connect(), await connect()];
    for (const client of clients) await client.until(() => client.received.length > 0);
    const contents = Array.from({ length: 10 }, (_, index) => `message ${index}`);
    await post(...contents);
    for (const client of clients) await client.until(() => eventsOf(client).length >= 10);
    const [one, other] = clients.map(eventsOf);
    expect(one?.map(({ d }) => d.content)).toEqual(contents);
    expect(other).toEqual(one ?? []);
    expect((await history()).slice(-10)).toEqual(contents);

    let closed: GatewayClient | undefined;
    for (const client of clients) void client.closed.then(() => (closed ??= client));
    await instance.kill('gateway-1');
    await until(async () => closed !== undefined);
    const stayed = clients.find((client) => client !== closed);
    await post('while one is away');
    const { epoch } = helloOf(closed);
    const back = await connect(`&epoch=${epoch}&s=${eventsOf(closed).at(-1)?.s}`);
    await back.until(() => eventsOf(back).length >= 1);
    expect(helloOf(back)).toMatchObject({ epoch, recovered: true });
    expect(eventsOf(back).map(({ d }) => d.content)).toEqual(['while one is away']);
    await stayed?.until(() => eventsOf(stayed).length >= 11);
    expect(eventsOf(back).at(-1)).toEqual(
      eventsOf(stayed).at(-1) ?? { op: '', s: 0, d: { id: '', content: '' } },
    );

    await instance.start('gateway-1');
    const first = helloOf(closed).s;
    const late = await connect(
      `&epoch=${epoch}&s=${first}`,
      `http://${instance.address('gateway-1')}/`,
    );
    await late.until(() => eventsOf(late).length >= 11);
    expect(helloOf(late)).toMatchObject({ epoch, s: first, recovered: true });
    expect(eventsOf(late)).toEqual(eventsOf(stayed));
    for (const client of [back, stayed, late]) client?.close();
  });

  test('an upload is served by both file services, byte for byte', async () => {
    const bytes = crypto.getRandomValues(new Uint8Array(60_000));
    const form = new FormData();
    form.set('file', new Blob([bytes, bytes, bytes]), 'noise.bin');
    const answer = await fetch(`${instance.site}/files/attachments`, {
      method: 'POST',
      body: form,
    });
    const { id }: { id: string } = await answer.json();
    const bases = [
      `${instance.site}/files`,
      ...['files-1', 'files-2'].map((name) => `http://${instance.address(name)}`),
    ];
    for (const base of bases) {
      const got = await (await fetch(`${base}/${id}`)).bytes();
      expect(Buffer.concat([bytes, bytes, bytes]).equals(got)).toBe(true);
    }
  });

  test('requests to both REST services are counted together, for the client that Caddy names', async () => {
    const answers = [];
    for (let count = 0; count < 3; count += 1) answers.push(await fetch(`${instance.site}/api`));
    expect(answers.map(({ status }) => status)).toEqual([200, 200, 429]);
  });

  test('the instance continues without one of the REST services', async () => {
    await instance.kill('rest-1');
    for (const content of ['without one', 'of two']) {
      // Caddy answers the first post to the missing process with 502.
      await until(() => tryPost(content));
    }
    await instance.start('rest-1');
    expect((await history()).slice(-2)).toEqual(['without one', 'of two']);
  });

  test('the processes stop on SIGTERM', async () => {
    const endings = await instance.stop();
    expect(endings.map(({ exitCode }) => exitCode)).toEqual(endings.map(() => 0));
  });
});

function eventsOf(client: GatewayClient | undefined): readonly Placed[] {
  const events: readonly Placed[] = (client?.received ?? []).map((text) => JSON.parse(text));
  return events.filter(({ op }) => op === 'MESSAGE_CREATE');
}

function helloOf(client: GatewayClient | undefined): Hello {
  const first: { op: string; d: Hello } = JSON.parse(client?.received[0] ?? '{}');
  expect(first.op).toBe('HELLO');
  return first.d;
}
