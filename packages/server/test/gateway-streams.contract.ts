import { describe, expect, test } from 'bun:test';
import { formatId } from '@hearth/protocol';
import { GatewayClient } from '@hearth/testing/clients/gateway-client';
import { freePorts } from '@hearth/testing/free-ports';
import { openTestContext } from '@hearth/testing/instances/test-context';
import type { ConnectionSocket } from '../src/components/gateway/connection.ts';
import { Gateway } from '../src/components/gateway/gateway.ts';
import type { Hub } from '../src/components/gateway/hub.ts';
import type { StreamAccess } from '../src/gateway-host.ts';
import { gatewayParts } from '../src/lists/gateway-parts.ts';
import { clientResolver } from '../src/http/client-address.ts';
import type { Bus, StreamPosition } from '../src/ports/bus/bus.ts';

/** Opens the buses of an instance's processes. */
export type OpenBuses = () => Promise<AsyncDisposable & { readonly buses: readonly Bus[] }>;

/** A client, and the function that makes it follow a stream. */
interface Following {
  readonly client: GatewayClient;
  open(stream: string, access: StreamAccess, from?: StreamPosition): boolean;
}

const user = (number: number) => formatId({ seconds: 1, instanceId: 1, sequence: number });
const role = formatId({ seconds: 2, instanceId: 1, sequence: 1 });
export const member = (number: number, roles = [role]): StreamAccess => ({
  user: user(number),
  roles,
});

const STREAM = 'c:1';
const OPEN = 'open';
const CLOSE = 'close';

/** Starts a gateway with real sockets. A test decides which streams its clients follow. */
export async function startGateway(bus: Bus) {
  await using resources = new AsyncDisposableStack();
  const ctx = resources.use(await openTestContext());
  const [port = 0] = await freePorts(1);
  const opened: { socket: ConnectionSocket; hub: Hub }[] = [];
  const gateway = await Gateway.follow(
    { ...ctx, bus },
    {
      ...{ hostname: '127.0.0.1', port, clientOf: clientResolver([]) },
      limits: { admitted: 100, refused: 10 },
      features: gatewayParts(ctx),
      onOpen: (socket, hub) => void opened.push({ socket, hub }),
    },
  );
  resources.defer(() => gateway.stop());
  gateway.listen();
  const connect = async (): Promise<Following> => {
    const client = await GatewayClient.connect(`ws://127.0.0.1:${port}`);
    await client.ping();
    const last = opened.at(-1);
    if (last === undefined) throw new Error('nobody connected');
    return {
      client,
      open: (stream, access, from) =>
        last.hub.open(last.socket, { stream, access, ...(from && { from }) }),
    };
  };
  const owned = resources.move();
  return { connect, [Symbol.asyncDispose]: () => owned.disposeAsync() };
}

/** Starts a gateway for each bus. */
async function startGateways(openBuses: OpenBuses) {
  await using resources = new AsyncDisposableStack();
  const { buses, ...owner } = await openBuses();
  resources.defer(() => owner[Symbol.asyncDispose]());
  const gateways: (() => Promise<Following>)[] = [];
  for (const bus of buses) gateways.push(resources.use(await startGateway(bus)).connect);
  const [bus] = buses;
  if (bus === undefined) throw new Error('there is no bus');
  const owned = resources.move();
  return { bus, gateways, [Symbol.asyncDispose]: () => owned.disposeAsync() };
}

/** Returns what a client was sent of a stream: positions, and a word for each open and close. */
export function sentTo({ client }: Following, stream = STREAM): (string | number)[] {
  return client.received
    .map((text) => JSON.parse(text))
    .filter(({ t, d }) => (t ?? d?.stream) === stream)
    .map(({ op, s }) => {
      if (op === 'STREAM_OPEN') return OPEN;
      return op === 'STREAM_CLOSE' ? CLOSE : Number(s);
    });
}

const numbers = (first: number, last: number) =>
  Array.from({ length: last - first + 1 }, (_, i) => first + i);

/** Publishes events. Every seventh is larger than what the runtime sends at once. */
export async function publish(bus: Bus, count: number, stream = STREAM): Promise<void> {
  for (let index = 0; index < count; index += 1) {
    const text = 'x'.repeat(index % 7 === 3 ? 100_000 : 20);
    await bus.publish({ stream, event: { op: 'MADE_UP', d: { text } } });
  }
}

export async function untilSent(
  each: Following,
  last: number | string,
  stream = STREAM,
): Promise<void> {
  await each.client.until(() => sentTo(each, stream).at(-1) === last);
}

/** Defines what gateways guarantee for streams on any bus. */
export function gatewayStreamsContract(
  name: string,
  openBuses: OpenBuses,
  { skip = false } = {},
): void {
  describe.skipIf(skip)(`streams of gateways on the ${name} bus`, () => {
    test('[ST2][ST6][ST11] streams reach their followers from the position at which each opened, in the same order on every gateway', async () => {
      await using stage = await startGateways(openBuses);
      const early: Following[] = [];
      for (const connect of stage.gateways) early.push(await connect());
      for (const each of early) each.open(STREAM, member(1));
      await publish(stage.bus, 20);
      for (const each of early) await untilSent(each, 20);
      const [connect] = stage.gateways;
      const late = await connect?.();
      late?.open(STREAM, member(1));
      await publish(stage.bus, 5);
      await publish(stage.bus, 5, 'c:2');
      for (const each of early) {
        await untilSent(each, 25);
        await each.client.ping();
        expect(sentTo(each)).toEqual([OPEN, ...numbers(1, 25)]);
        expect(sentTo(each, 'c:2')).toEqual([]);
      }
      if (late === undefined) throw new Error('there is no gateway');
      await untilSent(late, 25);
      expect(sentTo(late)).toEqual([OPEN, ...numbers(21, 25)]);
    });

    test.each([
      ['a user', { user: user(1) }, [true, false, false]],
      ['everyone with a role', { role }, [true, true, false]],
      ['everyone', { everyone: true }, [true, true, true]],
    ] as const)(
      '[ST5][ST7] streams end for %s at the position of the control entry, on every gateway, and for nobody else',
      async (_whom, end, areEnded) => {
        await using stage = await startGateways(openBuses);
        const followers: Following[][] = [];
        for (const connect of stage.gateways) {
          const own = [await connect(), await connect(), await connect()];
          own[0]?.open(STREAM, member(1));
          own[1]?.open(STREAM, member(2));
          own[2]?.open(STREAM, member(3, []));
          followers.push(own);
        }
        // Without waiting in between, so that all of it is sent in a few turns.
        const published = [
          publish(stage.bus, 30),
          Promise.resolve(stage.bus.publish({ stream: STREAM, end })),
        ];
        await Promise.all(published);
        await publish(stage.bus, 30);
        await publish(stage.bus, 1, 'c:2');
        const entry = areEnded.every(Boolean) ? undefined : 60;
        for (const own of followers) {
          const staying = own.filter((_, index) => areEnded[index] !== true);
          for (const each of staying) {
            await untilSent(each, entry ?? 0);
            expect(sentTo(each)).toEqual([OPEN, ...numbers(1, 60)]);
          }
          for (const each of own.filter((_, index) => areEnded[index] === true)) {
            await untilSent(each, CLOSE);
            await each.client.ping();
            const sent = sentTo(each);
            expect(sent).toEqual([OPEN, ...numbers(1, sent.length - 2), CLOSE]);
          }
        }
        const places = followers.flat().filter((_, index) => areEnded[index % 3] === true);
        expect(new Set(places.map((each) => sentTo(each).length)).size).toBe(1);
      },
    );

    test('[ST7] streams are sent to a client that is catching up until the control entry, and then closed', async () => {
      await using stage = await startGateways(openBuses);
      const witnesses: Following[] = [];
      for (const connect of stage.gateways) witnesses.push(await connect());
      for (const each of witnesses) each.open(STREAM, member(9));
      await publish(stage.bus, 1);
      for (const each of witnesses) await untilSent(each, 1);
      const [{ epoch } = { epoch: '' }] = witnesses.map(
        ({ client }) => JSON.parse(client.received[1] ?? '{}').d,
      );
      await publish(stage.bus, 300);
      for (const each of witnesses) await untilSent(each, 301);
      const late: Following[] = [];
      for (const connect of stage.gateways) late.push(await connect());
      for (const each of late) {
        expect(each.open(STREAM, member(1), { epoch, position: 1 })).toBe(true);
      }
      await stage.bus.publish({ stream: STREAM, end: { user: user(1) } });
      await publish(stage.bus, 10);
      for (const each of witnesses) await untilSent(each, 311);
      for (const each of late) {
        await untilSent(each, CLOSE);
        await each.client.ping();
        expect(sentTo(each)).toEqual([OPEN, ...numbers(2, 301), CLOSE]);
      }
    });
  });
}
