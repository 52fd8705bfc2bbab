import { expect, test } from 'bun:test';
import { Gateway } from '../src/components/gateway/gateway.ts';
import { gatewayParts } from '../src/lists/gateway-parts.ts';
import { OWNER } from '../src/actor.ts';
import { banClients } from '../src/features/accounts/moderation/bans.ts';
import { parseClientRange } from '../src/client-range.ts';
import { setAccessCode } from '../src/features/accounts/moderation/owner-restrictions.ts';
import { clientResolver } from '../src/http/client-address.ts';
import type { OwnerContext } from '../src/instance.ts';
import { freePorts } from '@hearth/testing/free-ports';
import { GatewayClient } from '@hearth/testing/clients/gateway-client';
import { ProfileClient, resumeQuery } from '@hearth/testing/clients/profile-client';
import { deliveryAt, StagedBus, startAt } from '@hearth/testing/ports/staged-bus';
import { openTestContext } from '@hearth/testing/instances/test-context';

/** A separate gateway, on a stream that the test writes. */
async function startGateway(bus: StagedBus) {
  await using resources = new AsyncDisposableStack();
  const ctx = resources.use(await openTestContext());
  const [port = 0] = await freePorts(1);
  const limits = { admitted: 100, refused: 10 };
  const features = gatewayParts(ctx);
  const gateway = await Gateway.follow(
    { ...ctx, bus },
    { hostname: '127.0.0.1', port, clientOf: clientResolver([]), limits, features },
  );
  resources.defer(() => gateway.stop());
  gateway.listen();
  const owned = resources.move();
  const addresses = { ...ctx.addresses, gateway: `ws://127.0.0.1:${port}` };
  return { ctx, addresses, [Symbol.asyncDispose]: () => owned.disposeAsync() };
}

async function banLocalClients(ctx: OwnerContext): Promise<void> {
  const range = parseClientRange('127.0.0.1');
  if (range !== undefined) await banClients(ctx, OWNER, { range, term: {} });
}

const at = (position: number, epoch = 'E') => ({ epoch, position });

/** Lets a bus be late until `current` is resolved; `asked` resolves when somebody waits for it. */
function held(bus: StagedBus) {
  const asked = Promise.withResolvers<void>();
  const current = Promise.withResolvers<void>();
  bus.onCurrent = () => {
    asked.resolve();
    return current.promise;
  };
  return { asked, current };
}

test('[LB18][LB20] a gateway that is started later serves resumes from what the bus has kept', async () => {
  const kept = [4, 5, 6].map((position) => deliveryAt(at(position)));
  await using gateway = await startGateway(new StagedBus(at(6), kept));
  for (const [s, missed] of [
    [3, ['4', '5', '6']],
    [5, ['6']],
    [6, []],
  ] as const) {
    using client = await ProfileClient.greeted(gateway, resumeQuery({ epoch: 'E', s }));
    expect(client.hello).toMatchObject({ epoch: 'E', s, recovered: true });
    await client.untilEvents(missed.length);
    await client.ping();
    expect(client.contents).toEqual(missed);
  }
  using tooOld = await ProfileClient.greeted(gateway, resumeQuery({ epoch: 'E', s: 2 }));
  expect(tooOld.hello).toMatchObject({ epoch: 'E', s: 6, recovered: false });
});

test('[LB20] the age of the events that the bus has kept is that of their messages', async () => {
  const old = deliveryAt(at(5), Date.now() - 11 * 60_000);
  await using gateway = await startGateway(new StagedBus(at(6), [old, deliveryAt(at(6))]));
  using missing = await ProfileClient.greeted(gateway, resumeQuery({ epoch: 'E', s: 4 }));
  using close = await ProfileClient.greeted(gateway, resumeQuery({ epoch: 'E', s: 5 }));
  expect([missing.hello.recovered, close.hello.recovered]).toEqual([false, true]);
});

test('[LB16][LB19] if the stream does not continue, clients that know positions are disconnected and nobody else', async () => {
  const bus = new StagedBus(at(6));
  await using gateway = await startGateway(bus);
  const documented = await GatewayClient.connect(gateway.addresses.gateway);
  using client = await ProfileClient.greeted(gateway);
  // All within one turn: earlier events are sent first.
  void bus.follower.take(deliveryAt(at(7)));
  bus.follower.begin(startAt(at(2, 'F'), [deliveryAt(at(2, 'F'))]));
  void bus.follower.take(deliveryAt(at(3, 'F')));
  await client.raw.ended;
  expect(client.ops).toEqual(['HELLO', 'MESSAGE_CREATE', 'DISCONNECT']);
  expect(client.goodbye).toMatchObject({ reason: 'server_error', reconnect: true });
  await documented.until(() => documented.received.length >= 2);
  expect(documented.received.map((text) => JSON.parse(text).d.content)).toEqual(['7', '3']);
  using back = await ProfileClient.greeted(gateway, resumeQuery(client.place));
  expect(back.hello).toMatchObject({ epoch: 'F', s: 3, recovered: false });
  using other = await ProfileClient.greeted(gateway, resumeQuery({ epoch: 'F', s: 1 }));
  await other.untilEvents(2);
  expect([other.hello.recovered, other.contents]).toEqual([true, ['2', '3']]);
});

test('[LB18] a client that has seen more events at another gateway waits until they arrive here, and continues', async () => {
  const bus = new StagedBus(at(6));
  const { asked, current } = held(bus);
  await using gateway = await startGateway(bus);
  const greeting = ProfileClient.greeted(gateway, resumeQuery({ epoch: 'E', s: 8 }));
  await asked.promise;
  for (const position of [7, 8, 9]) void bus.follower.take(deliveryAt(at(position)));
  current.resolve();
  using client = await greeting;
  expect(client.hello).toMatchObject({ s: 8, recovered: true });
  await client.untilEvents(1);
  void bus.follower.take(deliveryAt(at(10)));
  await client.untilEvents(2);
  expect(client.contents).toEqual(['9', '10']);
});

test.each([
  ['[MO8] a ban refuses a client', 'banned', banLocalClients],
  [
    '[MO18] an access code refuses a client that does not give it',
    'access_code',
    (ctx: OwnerContext) => setAccessCode(ctx, OWNER, 'k7mw-p3xd-9qht'),
  ],
] as const)('%s, also while it waits to be admitted', async (_what, reason, restrict) => {
  const bus = new StagedBus(at(6), [deliveryAt(at(6))]);
  const { asked, current } = held(bus);
  await using gateway = await startGateway(bus);
  const connecting = ProfileClient.connect(gateway, resumeQuery({ epoch: 'E', s: 7 }));
  await asked.promise;
  await restrict(gateway.ctx);
  await gateway.ctx.restrictions.current();
  for (const position of [7, 8]) void bus.follower.take(deliveryAt(at(position)));
  current.resolve();
  using client = await connecting;
  await client.raw.ended;
  expect(client.ops).toEqual(['HELLO', 'DISCONNECT']);
  expect(client.goodbye).toMatchObject({ reason, reconnect: false });
});

test.each([
  ['nothing more is there', async () => {}],
  ['the bus does not answer', () => Promise.reject(new Error('away'))],
])(
  '[LB19] a client that is ahead of the stream gets recovered: false when %s',
  async (_what, onCurrent) => {
    const bus = new StagedBus(at(6));
    bus.onCurrent = onCurrent;
    await using gateway = await startGateway(bus);
    using client = await ProfileClient.greeted(gateway, resumeQuery({ epoch: 'E', s: 7 }));
    expect(client.hello).toMatchObject({ epoch: 'E', s: 6, recovered: false });
  },
);

test('[LB18] a client that is not ahead of the stream does not wait', async () => {
  const bus = new StagedBus(at(6));
  bus.onCurrent = () => {
    throw new Error('nobody has to ask');
  };
  await using gateway = await startGateway(bus);
  for (const query of ['', 'v=1', 'v=1&epoch=E&s=6', 'v=1&epoch=F&s=9', 'v=1&epoch=E&s=x']) {
    using client = await ProfileClient.connect(gateway, query);
    client.raw.sendText('{"op":"PING"}');
    await client.raw.until(() => client.raw.texts.some((text) => text.includes('PONG')));
  }
});
