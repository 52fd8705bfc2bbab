import { describe, expect, test } from 'bun:test';
import type { InstanceInfo } from '@hearth/protocol';
import { startTestInstance, webAddressOf } from '@hearth/testing/instances/test-instance';
import { webFolder } from '@hearth/testing/instances/web-folder';
import {
  connect,
  memoryTokens,
  NetworkError,
  NotFoundError,
  RateLimitedError,
  UnexpectedAnswerError,
  type Client,
  type ClientOptions,
} from '../src/index.ts';

const INFO: InstanceInfo = {
  instance_name: 'Elsewhere',
  description: null,
  version: '0.3.2',
  message_limit: 2048,
  oprish_url: 'https://chat.example.org/api',
  pandemonium_url: 'wss://chat.example.org/gateway',
  effis_url: 'https://chat.example.org/files',
  file_size: 1,
  attachment_file_size: 1,
};

const CAPABILITIES = {
  profiles: [0, 1],
  features: [],
  registration: 'closed',
  lobby: 'open',
  limits: {
    message_limit: 2048,
    nonce_limit: 64,
    page_limit: 100,
    file_size: 1,
    attachment_file_size: 1,
  },
};

const page = () => new Response('<!doctype html>');
const missing = () => Response.json({ status: 404, message: 'No' }, { status: 404 });
const info = () => Response.json(INFO);
const described = (changes: Partial<InstanceInfo>) => () => Response.json({ ...INFO, ...changes });

type Network = Readonly<Record<string, () => Response>>;

/** Connects in a network that has these addresses and no others. */
async function connecting(url: string, network: Network, options: ClientOptions = {}) {
  const asked: string[] = [];
  const fetch = async (address: string) => {
    asked.push(address);
    const answer = network[address] ?? network[`${new URL(address).origin}/*`];
    if (answer === undefined) throw new TypeError('there is no such host');
    return answer();
  };
  const outcome = await connect(url, { ...options, fetch }).catch((error: unknown) => error);
  return { asked, outcome };
}

async function found(url: string, network: Network, options?: ClientOptions): Promise<Client> {
  const { outcome } = await connecting(url, network, options);
  if (outcome instanceof Error) throw outcome;
  // Guarantee: connect resolves with a client.
  return outcome as Client;
}

describe('[SK1] an address without a scheme', () => {
  test.each([
    ['chat.example.org', 'https://chat.example.org/'],
    ['chat.example.org/hearth/', 'https://chat.example.org/hearth/'],
    ['chat.example.org:443', 'https://chat.example.org/'],
    [' chat.example.org:80 ', 'http://chat.example.org/'],
    ['chat.example.org:7159', 'http://chat.example.org:7159/'],
    ['localhost', 'http://localhost/'],
    ['nas', 'http://nas/'],
    ['nas.local', 'http://nas.local/'],
    ['192.0.2.7', 'http://192.0.2.7/'],
    ['192.0.2.7:443', 'https://192.0.2.7/'],
    ['[2001:db8::1]', 'http://[2001:db8::1]/'],
    ['[2001:db8::1]:7159', 'http://[2001:db8::1]:7159/'],
  ])('%j is first looked for at %s', async (url, first) => {
    expect((await connecting(url, { [first]: info })).asked).toEqual([first]);
  });

  test('an address is looked for at http only if there is no answer at https', async () => {
    const [https, http] = ['https://chat.example.org/', 'http://chat.example.org/'];
    expect((await connecting('chat.example.org', { [http]: info })).asked).toEqual([https, http]);
    const { asked, outcome } = await connecting('chat.example.org', {
      'https://chat.example.org/*': page,
      [http]: info,
    });
    expect(asked).toEqual([https, `${https}api/`]);
    expect(outcome).toBeInstanceOf(UnexpectedAnswerError);
  });

  test.each<readonly [string, ClientOptions]>([
    ['a token', { tokens: memoryTokens('x') }],
    ['an access code', { accessCode: 'kitten' }],
    ['a function for the access code', { accessCode: () => undefined }],
  ])('an address is not looked for at http if there is %s', async (_what, options) => {
    const network = { 'http://chat.example.org/': info };
    const { asked, outcome } = await connecting('chat.example.org', network, options);
    expect(asked).toEqual(['https://chat.example.org/']);
    expect(outcome).toBeInstanceOf(NetworkError);
  });

  test('an address is not a WebSocket address, whatever it looks like', async () => {
    const { asked, outcome } = await connecting('wss://chat.example.org/gateway', {});
    expect(asked).toEqual([]);
    expect(outcome).toBeInstanceOf(TypeError);
  });
});

describe('[SK2] the REST service is', () => {
  const ORIGIN = 'https://chat.example.org';

  test.each([
    ['at the address', ORIGIN, [`${ORIGIN}/`]],
    ['below the address', `${ORIGIN}/`, [`${ORIGIN}/`, `${ORIGIN}/api/`]],
    [
      'at the host of the address',
      `${ORIGIN}/lobby/42?x=1#y`,
      [`${ORIGIN}/lobby/42/`, `${ORIGIN}/lobby/42/api/`, `${ORIGIN}/`],
    ],
    [
      'below the host of the address',
      `${ORIGIN}/lobby/42`,
      [`${ORIGIN}/lobby/42/`, `${ORIGIN}/lobby/42/api/`, `${ORIGIN}/`, `${ORIGIN}/api/`],
    ],
  ])('the service is found %s', async (_where, url, expected) => {
    const network = { [`${ORIGIN}/*`]: page, [expected.at(-1) ?? '']: info };
    const { asked, outcome } = await connecting(url, network);
    expect(asked).toEqual(expected);
    expect(outcome).toMatchObject({ info: INFO });
  });

  test('the service is looked for elsewhere after an error that says that it is not there', async () => {
    const network = { [`${ORIGIN}/*`]: missing, [`${ORIGIN}/api/`]: info };
    expect((await found(ORIGIN, network)).info).toEqual(INFO);
  });

  test('not found if nothing describes an instance: the first error is thrown', async () => {
    const { asked, outcome } = await connecting(`${ORIGIN}/chat`, {
      [`${ORIGIN}/*`]: page,
      [`${ORIGIN}/chat/`]: missing,
    });
    expect(asked).toHaveLength(4);
    expect(outcome).toBeInstanceOf(NotFoundError);
  });

  test.each<readonly [string, () => Response, abstract new (...args: never) => Error]>([
    ['it is over its limit', () => new Response('', { status: 429 }), RateLimitedError],
    ['its addresses are not valid', described({ effis_url: 'ftp://x' }), UnexpectedAnswerError],
  ])('not looked for elsewhere if %s', async (_what, answer, expected) => {
    const network = { [`${ORIGIN}/*`]: info, [`${ORIGIN}/`]: answer };
    const { asked, outcome } = await connecting(ORIGIN, network, { longestLimitWaitMs: 0 });
    expect(asked).toEqual([`${ORIGIN}/`]);
    expect(outcome).toBeInstanceOf(expected);
  });
});

test('[SK2] an instance of Hearth is found from its REST service, its page, and places of that', async () => {
  await using folder = await webFolder();
  await using instance = await startTestInstance({ web: folder.path });
  const web = webAddressOf(instance);
  const { rest } = instance.addresses;
  for (const url of [rest, `${web}/api`, web, `${web}/lobby/42#x`, `${web}/no/place`]) {
    await using client = await connect(url.replace('http://', ''));
    await client.open();
    expect(client.info.oprish_url).toBe(url === rest ? rest : `${web}/api`);
  }
});

describe('[SK3] the addresses of an instance', () => {
  const local = described({
    oprish_url: 'http://localhost:7159',
    pandemonium_url: 'ws://127.0.0.1:7160/',
    effis_url: 'https://files.example.org',
  });

  test('addresses get the host that answered, if they lead to its own machine only', async () => {
    const { info: reachable } = await found('192.0.2.7:7159', { 'http://192.0.2.7:7159/': local });
    expect(reachable).toMatchObject({
      oprish_url: 'http://192.0.2.7:7159',
      pandemonium_url: 'ws://192.0.2.7:7160',
      effis_url: 'https://files.example.org',
    });
  });

  test.each(['http://localhost:7159', 'http://127.0.0.1:7159', 'http://[::1]:7159'])(
    'addresses stay as they are on that machine: %s',
    async (url) => {
      const { info: same } = await found(url, { [`${url}/`]: local });
      expect(same).toMatchObject({
        oprish_url: 'http://localhost:7159',
        pandemonium_url: 'ws://127.0.0.1:7160/',
      });
    },
  );
});

describe('[SK3] an instance that was found at https', () => {
  const ORIGIN = 'https://chat.example.org';

  /** The addresses that a client uses of an instance that was found at `url` and gave these. */
  async function usedOf(url: string, given: Partial<InstanceInfo>) {
    const client = await found(url, { [`${url}/`]: described(given) });
    const { oprish_url: rest, pandemonium_url: gateway, effis_url: files } = client.info;
    return [rest, gateway, files];
  }

  const secured = [`${ORIGIN}/api`, 'wss://chat.example.org/gateway', `${ORIGIN}/files`];

  test.each(['127.0.0.1:7162', 'localhost', 'chat.example.org'])(
    'an instance is used there, and not at http://%s, through a proxy that adds TLS',
    async (host) => {
      const used = await usedOf(`${ORIGIN}/api`, {
        oprish_url: `http://${host}/api`,
        pandemonium_url: `ws://${host}/gateway`,
        effis_url: `http://${host}/files`,
      });
      expect(used).toEqual(secured);
    },
  );

  test('an instance keeps the port of the proxy', async () => {
    const used = await usedOf(`${ORIGIN}:8443/api`, {
      oprish_url: 'http://127.0.0.1:7162/api',
      pandemonium_url: 'ws://127.0.0.1:7162/gateway',
      effis_url: 'https://files.example.org',
    });
    const gateway = 'wss://chat.example.org:8443/gateway';
    expect(used).toEqual([`${ORIGIN}:8443/api`, gateway, 'https://files.example.org']);
  });

  test('an instance is not used if an address leads to http on its own machine', async () => {
    const url = `${ORIGIN}/rest`;
    const local = 'http://127.0.0.1:7159';
    const own = { pandemonium_url: 'wss://chat.example.org/gateway', oprish_url: local };
    expect(await usedOf(url, own)).toEqual([url, own.pandemonium_url, INFO.effis_url]);
    for (const given of [
      { oprish_url: local, pandemonium_url: 'ws://127.0.0.1:7160' },
      { oprish_url: local, pandemonium_url: 'ws://127.0.0.1:7159' },
      { effis_url: 'http://localhost:7161' },
    ]) {
      const network = { [`${url}/`]: described(given) };
      const { outcome } = await connecting(url, network, { tokens: memoryTokens('x') });
      expect(outcome).toBeInstanceOf(UnexpectedAnswerError);
      expect(outcome).toMatchObject({ message: expect.stringContaining('set public_url') });
    }
  });
});

describe('[SK10] the address of a message', () => {
  const ORIGIN = 'https://chat.example.org';
  // Guarantee: it is an identifier.
  const id = '42' as Parameters<Client['messageUrl']>[0];

  test.each<readonly [string, string, Network]>([
    ['the address of the web client', ORIGIN, { [`${ORIGIN}/`]: info }],
    ['a page of the web client', `${ORIGIN}/lobby/7`, { [`${ORIGIN}/lobby/7/`]: info }],
    ['a page without a description', ORIGIN, { [`${ORIGIN}/`]: page, [`${ORIGIN}/api/`]: info }],
  ])('the address is known from %s', async (_what, url, network) => {
    expect((await found(url, network)).messageUrl(id)).toBe(`${ORIGIN}/lobby/42`);
  });

  test('the address is below the path of the web client', async () => {
    const network = {
      [`${ORIGIN}/chat/lobby/7/`]: described({ oprish_url: `${ORIGIN}/chat/api` }),
    };
    const client = await found(`${ORIGIN}/chat/lobby/7`, network);
    expect(client.messageUrl(id)).toBe(`${ORIGIN}/chat/lobby/42`);
  });

  test('the address is known from the REST service if the instance names its web client', async () => {
    const [url, version] = [`${ORIGIN}/api`, '0.3.2+hearth.0.1.0'];
    for (const [webUrl, address] of [
      ['https://web.example.org/x/', 'https://web.example.org/x/lobby/42'],
      ['javascript:alert(1)', undefined],
      ['https://', undefined],
    ]) {
      const network = {
        [`${url}/`]: described({ version }),
        [`${url}/capabilities`]: () => Response.json({ ...CAPABILITIES, web_url: webUrl }),
      };
      expect((await found(url, network)).messageUrl(id)).toBe(address);
      const client = await found(url, network, { webUrl: 'https://own.example.org' });
      expect(client.messageUrl(id)).toBe('https://own.example.org/lobby/42');
    }
  });

  test.each<readonly [string, string, Network]>([
    ['the address of the REST service', `${ORIGIN}/api`, { [`${ORIGIN}/api/`]: info }],
    ['a REST service elsewhere', 'http://localhost:7159', { 'http://localhost:7159/': info }],
    [
      'a REST service at the root',
      `${ORIGIN}/x`,
      { [`${ORIGIN}/x/`]: described({ oprish_url: ORIGIN }) },
    ],
  ])('the address is not known from %s, unless it is given', async (_what, url, network) => {
    expect((await found(url, network)).messageUrl(id)).toBeUndefined();
    const client = await found(url, network, { webUrl: 'https://web.example.org/' });
    expect(client.messageUrl(id)).toBe('https://web.example.org/lobby/42');
  });
});
