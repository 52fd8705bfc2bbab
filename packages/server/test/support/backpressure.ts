import { GatewayClient } from '@hearth/testing/clients/gateway-client';
import { eventOf, postMessage } from '@hearth/testing/clients/post-message';
import { RawSocket } from '@hearth/testing/clients/raw-socket';
import { GENEROUS_LIMITS, type TestInstance } from '@hearth/testing/instances/test-instance';
import { clientFrame, OPCODES } from '@hearth/testing/clients/web-socket-frames';

export const PONG = '{"op":"PONG"}';
export const SERVER_ERROR = { code: 1011, reason: 'Server error' };
const MESSAGE_BYTES = 60_000;
/** Together far more than the system buffers for one socket, which is about 4 MB here. */
export const MESSAGES = 250;
const PINGS_AT_ONCE = Buffer.alloc(19 * 10_000, clientFrame(OPCODES.text, '{"op":"PING"}'));

export const settings = (sendBuffer: string) =>
  `[oprish]\nmessage_limit = ${MESSAGE_BYTES}\n${GENEROUS_LIMITS}`
    .replace('limit = 100000 }\n[effis', 'limit = 10000000 }\n[effis')
    .replace('[pandemonium]', `[pandemonium]\nsend_buffer = "${sendBuffer}"`);

export const content = (index: number) => `${index} `.padEnd(MESSAGE_BYTES, 'x');
export const events = (count: number) =>
  Array.from({ length: count }, (_, index) => eventOf(content(index)));

export async function postMany(instance: TestInstance, count: number): Promise<void> {
  for (let index = 0; index < count; index += 1) await postMessage(instance, content(index));
}

/** A client that reads nothing from now on. */
export async function connectDeaf(instance: TestInstance): Promise<RawSocket> {
  const socket = await RawSocket.connect(instance.addresses.gateway);
  socket.stopReading();
  return socket;
}

/** Sends so many PINGs that their answers fill the system's buffer for a socket. */
export async function fillWithPongs(socket: RawSocket, other: GatewayClient): Promise<void> {
  for (let batch = 0; batch < 40; batch += 1) {
    socket.write(PINGS_AT_ONCE);
    // When another client has its answer, the gateway has also read these.
    await other.ping();
  }
}
