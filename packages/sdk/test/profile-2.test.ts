import {
  startDocumentedServer,
  type DocumentedServer,
} from '@hearth/testing/clients/documented-server';
import { postMessage } from '@hearth/testing/clients/post-message';
import { isCurrent, witnessOf } from '@hearth/testing/clients/witness';
import {
  GENEROUS_LIMITS,
  startTestInstance,
  type TestInstance,
} from '@hearth/testing/instances/test-instance';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'bun:test';
import {
  ClosedError,
  connect,
  memoryTokens,
  type Client,
  type ClientOptions,
  type OwnUser,
} from '../src/index.ts';
import { cuttableClient } from './support/cuttable-client.ts';

const PASSWORD = 'correct horse battery';

let ended: AsyncDisposable[] = [];

afterEach(async () => {
  for (const one of ended.toReversed()) await one[Symbol.asyncDispose]();
  ended = [];
});

/** Everything that a client sends to its gateway, and the addresses to which it connects. */
function recordedSocket() {
  const sent: string[] = [];
  const urls: string[] = [];
  class RecordedSocket extends WebSocket {
    constructor(url: string, protocols: string[] = []) {
      super(url, protocols);
      urls.push(url);
    }
    override send(data: string): void {
      if (data !== '{"op":"PING"}') sent.push(data);
      super.send(data);
    }
  }
  // Guarantee: it is a WebSocket.
  return { sent, urls, WebSocket: RecordedSocket as unknown as ClientOptions['WebSocket'] };
}

describe('on an instance', () => {
  let instance: TestInstance;
  let ada: Client;
  const adaTokens = memoryTokens();

  beforeAll(async () => {
    instance = await startTestInstance({ toml: `registration = "open"\n${GENEROUS_LIMITS}` });
    ada = await connect(instance.addresses.rest, { tokens: adaTokens });
    await ada.register({ username: 'ada', email: 'ada@example.org', password: PASSWORD });
  });

  afterAll(async () => {
    await ada.close();
    await instance[Symbol.asyncDispose]();
  });

  async function connected(options: ClientOptions = {}): Promise<Client> {
    const client = await connect(instance.addresses.rest, options);
    ended.push(client);
    return client;
  }

  /** Another session of ada. */
  async function signedIn(options: ClientOptions = {}) {
    const tokens = memoryTokens();
    const client = await connected({ tokens, ...options });
    const { session } = await client.signIn({ username: 'ada', password: PASSWORD });
    return { client, tokens, session };
  }

  test('[SK24] the token is sent after connecting, and never in the address', async () => {
    const { sent, urls, WebSocket } = recordedSocket();
    const { client, tokens } = await signedIn({ WebSocket });
    await client.open();
    expect(client.connection).toEqual({ state: 'open', profile: 2, isCurrent: true });
    expect(sent).toEqual([
      JSON.stringify({
        op: 'AUTHENTICATE',
        d: { token: tokens.read(), online: true, pauses: true },
      }),
    ]);
    expect(urls.map((url) => new URL(url).search)).toEqual(['?v=2']);
    const guest = recordedSocket();
    const visitor = await connected({ WebSocket: guest.WebSocket });
    await visitor.open();
    expect(guest.sent).toEqual(['{"op":"AUTHENTICATE","d":{"online":true,"pauses":true}}']);
  });

  test('[SK21] a change of the person who is signed in is reported on all devices, each version once', async () => {
    const { client: desk } = await signedIn();
    const { client: phone } = await signedIn();
    const seen: (string | undefined)[] = [];
    desk.on('userUpdate', ({ display_name: name }: OwnUser) => void seen.push(name));
    const witness = witnessOf(desk);
    await desk.open();
    await phone.updateMe({ display_name: 'Ada' });
    await witness.until(() => seen.includes('Ada'));
    await phone.updateMe({ display_name: 'Ada Lovelace' });
    await witness.until(() => seen.includes('Ada Lovelace'));
    expect(seen).toEqual([undefined, 'Ada', 'Ada Lovelace']);
    await phone.updateMe({ display_name: null });
  });

  test('[SK21] what happens while the connection is away is reported when it is back', async () => {
    await using broken = await cuttableClient(instance, {
      tokens: memoryTokens(adaTokens.read()),
    });
    const { client, cutter } = broken;
    const seen: unknown[] = [];
    client.on('userUpdate', ({ bio }) => void seen.push(bio));
    client.on('sessionEnd', ({ id }) => void seen.push(id));
    const witness = witnessOf(client);
    await client.open();
    const { session } = await signedIn();
    cutter.refuse(true);
    cutter.cut();
    await witness.until(() => client.connection.state === 'waiting');
    await ada.updateMe({ bio: 'Analyst' });
    await ada.sessions.end(session.id);
    await postMessage(instance, 'meanwhile');
    cutter.refuse(false);
    await witness.until(
      () => seen.length === 3 && witness.contents.length === 1 && isCurrent(client),
    );
    expect(seen).toEqual([undefined, 'Analyst', session.id]);
    expect([witness.contents, witness.gaps]).toEqual([['meanwhile'], []]);
    expect(witness.messages[0]?.isRecovered).toBeUndefined();
    await ada.updateMe({ bio: null });
  });

  test('[SK22] signing in and out connects again as that person, and no message is missed', async () => {
    const { sent, WebSocket } = recordedSocket();
    const client = await connected({ WebSocket });
    const witness = witnessOf(client);
    await client.open();
    await postMessage(instance, '1');
    await witness.until(() => witness.contents.length === 1);
    const users: string[] = [];
    client.on('userUpdate', ({ username }) => void users.push(username));
    await client.signIn({ username: 'ada', password: PASSWORD });
    await postMessage(instance, '2');
    await witness.until(() => isCurrent(client) && witness.contents.length === 2);
    await client.signOut();
    await postMessage(instance, '3');
    await witness.until(() => isCurrent(client) && witness.contents.length === 3);
    expect([witness.contents, witness.gaps, users]).toEqual([['1', '2', '3'], [], ['ada']]);
    expect(sent.map((text) => Object.keys((JSON.parse(text) as { d: object }).d))).toEqual([
      ['online', 'pauses'],
      ['token', 'resume', 'online', 'pauses'],
      ['resume', 'online', 'pauses'],
    ]);
    expect(sent.at(-1)).not.toContain('u:');
  });

  test('[SK23] if its session ends, the token is forgotten and the connection closes, until somebody signs in', async () => {
    const { client, tokens, session } = await signedIn();
    const witness = witnessOf(client);
    const reported: unknown[] = [];
    client.on('sessionEnd', ({ id }) => void reported.push(id));
    client.on('tokenRefused', ({ code }) => void reported.push(code));
    const reader = client.messages();
    await client.open();
    await ada.sessions.end(session.id);
    const closed = { state: 'closed', reason: 'unauthorized' } as const;
    await witness.until(() => client.connection.state === 'closed');
    expect(client.connection).toEqual(closed);
    expect(reported).toEqual([session.id, 'token_ended']);
    expect(tokens.read()).toBeUndefined();
    await expect(reader.next()).rejects.toMatchObject({ reason: 'unauthorized' });
    await expect(client.open()).rejects.toBeInstanceOf(ClosedError);
    await client.signIn({ username: 'ada', password: PASSWORD });
    await witness.until(() => isCurrent(client));
    await postMessage(instance, 'again');
    await witness.until(() => witness.contents.length === 1);
  });

  test('[SK23] a token that is refused when it connects is replaced by another one, if there is one', async () => {
    const { tokens } = await signedIn();
    let kept: string | undefined = 'wrong';
    const client = await connected({
      tokens: {
        read: (refused) => (refused === 'wrong' ? (kept = tokens.read()) : kept),
        write: (token) => void (kept = token),
      },
    });
    const users: string[] = [];
    client.on('userUpdate', ({ username }) => void users.push(username));
    await client.open();
    expect(users).toEqual(['ada']);
    expect(kept).toBe(String(tokens.read()));

    const stranger = await connected({ tokens: memoryTokens('wrong') });
    const codes: unknown[] = [];
    stranger.on('tokenRefused', ({ code }) => void codes.push(code));
    await expect(stranger.open()).rejects.toMatchObject({ reason: 'unauthorized' });
    expect(codes).toEqual(['token_invalid']);
  });

  test('[SK22] a token that was renewed keeps its connection', async () => {
    const { sent, WebSocket } = recordedSocket();
    const { client } = await signedIn({ WebSocket });
    await client.open();
    await client.sessions.renewToken();
    const reader = client.messages();
    await postMessage(instance, 'still here');
    expect(await reader.next()).toMatchObject({ done: false });
    expect(sent).toHaveLength(1);
  });
});

describe('a gateway that says', () => {
  const HELLO = { v: 2, heartbeat_interval: 45_000, authenticate_within: 10_000, limits: {} };
  const MESSAGE = { id: '1', author: 'ada', content: 'hello', created_at: 1 };

  interface Setting {
    readonly server: DocumentedServer;
    readonly client: Client;
    readonly push: (
      op: string,
      d: object,
      place?: { readonly t: string; readonly s: number },
    ) => void;
    /** Resolves when the client has sent this. */
    readonly sent: (beginning: string) => Promise<void>;
  }

  async function scripted(options: ClientOptions = {}): Promise<Setting> {
    const capabilities = {
      profiles: [0, 1, 2],
      features: ['history'],
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
    const server = startDocumentedServer({
      isMute: true,
      isExtended: true,
      answer: ({ url }) => {
        if (url.endsWith('/capabilities')) return Response.json(capabilities);
        return url.includes('/messages?') ? Response.json([]) : undefined;
      },
    });
    const client = await connect(server.url, { random: () => 0, ...options });
    ended.push(server, client);
    return {
      server,
      client,
      push: (op, d, place) => server.push(JSON.stringify({ op, ...place, d })),
      async sent(beginning) {
        while (!server.seen.some((line) => line.startsWith(beginning))) {
          await new Promise((resolve) => setImmediate(resolve));
        }
      },
    };
  }

  test('[SK24] profile 1 although 2 was asked for is spoken to as one', async () => {
    const { client, push, sent } = await scripted();
    const opened = client.open();
    await sent('PING');
    push('HELLO', { v: 1, heartbeat_interval: 45_000, epoch: 'e', s: 4, recovered: null });
    push('PONG', {});
    await opened;
    expect(client.connection).toMatchObject({ state: 'open', profile: 1 });
    const message = client.messages().next();
    push('MESSAGE_CREATE', MESSAGE, { t: 'lobby', s: 5 });
    expect(await message).toMatchObject({ value: MESSAGE });
  });

  test('[SK24] nothing, because it is one of the documented interface, is spoken to as one', async () => {
    const { client, push, sent } = await scripted({ tokens: memoryTokens('t.1') });
    const opened = client.open();
    await sent('PING');
    push('PONG', {});
    await opened;
    expect(client.connection).toMatchObject({ state: 'open', profile: 0 });
  });

  test('[SK24] something about streams and opcodes of later versions resumes them, and goes on', async () => {
    const { client, server, push, sent } = await scripted({ tokens: memoryTokens('t.1') });
    const opened = client.open();
    await sent('PING');
    push('HELLO', HELLO);
    await sent('payload {"op":"AUTHENTICATE"');
    const streams = { lobby: ['e', 1], 'u:7': ['e', 2], 'c:9': ['f', 3], 'c:1': ['g', 0] };
    push('READY', { streams });
    await opened;
    const messages = client.messages();
    push('POST_CREATE', { id: '5' }, { t: 'c:9', s: 4 });
    push('MESSAGE_CREATE', { ...MESSAGE, id: '6', content: 'elsewhere' }, { t: 'c:9', s: 5 });
    push('USER_UPDATE', { broken: true }, { t: 'u:7', s: 3 });
    push('STREAM_OPEN', { stream: 'c:2', epoch: 'h', s: 8 });
    push('STREAM_CLOSE', { stream: 'c:1' });
    push('RATE_LIMITED', { retry_after: 5 });
    push('MESSAGE_CREATE', MESSAGE, { t: 'lobby', s: 2 });
    expect(await messages.next()).toMatchObject({ value: MESSAGE });
    server.closeAll(1011, 'Server error');
    const count = () => server.seen.filter((line) => line === 'PING').length;
    while (count() < 2) await new Promise((resolve) => setImmediate(resolve));
    push('HELLO', HELLO);
    const places = { lobby: ['e', 2], 'u:7': ['e', 3], 'c:9': ['f', 5], 'c:2': ['h', 8] };
    const d = { token: 't.1', resume: places };
    await sent(`payload ${JSON.stringify({ op: 'AUTHENTICATE', d })}`);
  });

  test('[SK24] that a guest may not read the lobby, is open without it until it may', async () => {
    const { client, push, sent } = await scripted();
    const witness = witnessOf(client);
    const opened = client.open();
    await sent('PING');
    push('HELLO', HELLO);
    await sent('payload {"op":"AUTHENTICATE"');
    push('READY', { streams: {} });
    await opened;
    expect(client.connection).toMatchObject({ state: 'open', isCurrent: true });
    push('STREAM_OPEN', { stream: 'lobby', epoch: 'e', s: 3 });
    push('MESSAGE_CREATE', MESSAGE, { t: 'lobby', s: 4 });
    await witness.until(() => witness.contents.length === 1);
    expect(witness.gaps).toEqual([]);
  });

  test('[SK23] that a token is not valid is given another one, and a second refusal is the last', async () => {
    const read: (string | undefined)[] = ['t.2', 't.3'];
    const written: unknown[] = [];
    let kept: string | undefined = 't.1';
    const { client, server, push, sent } = await scripted({
      tokens: {
        read: (refused) => (refused === undefined ? kept : (kept = read.shift())),
        write: (token) => void written.push((kept = token)),
      },
    });
    const codes: unknown[] = [];
    client.on('tokenRefused', ({ code }) => void codes.push(code));
    const opened = client.open().catch((error: unknown) => error);
    for (const [index, token] of ['t.1', 't.2'].entries()) {
      while (server.seen.filter((line) => line === 'PING').length <= index) {
        await new Promise((resolve) => setImmediate(resolve));
      }
      push('HELLO', HELLO);
      await sent(`payload ${JSON.stringify({ op: 'AUTHENTICATE', d: { token } })}`);
      push('DISCONNECT', { reason: 'unauthorized', reconnect: false, retry_after: 0 });
      server.closeAll(1011, 'Server error');
    }
    expect(await opened).toMatchObject({ reason: 'unauthorized' });
    expect([written, codes]).toEqual([[undefined], ['token_invalid']]);
  });

  test('[SK24] READY that cannot be parsed is left, and tried again', async () => {
    const { client, push, sent } = await scripted();
    const witness = witnessOf(client);
    client.open().catch(() => undefined);
    await sent('PING');
    push('HELLO', HELLO);
    await sent('payload {"op":"AUTHENTICATE"');
    push('READY', { streams: 7 });
    await witness.until(() => client.connection.state === 'waiting');
  });
});
