import type { InstanceInfo } from '@hearth/protocol';
import { Client } from './client.ts';
import { createSession } from './session.ts';
import type { ClientOptions } from './types.ts';

/** Makes a client of an instance that is already known. Throws TypeError if an address in `info` is not valid. */
export function createClient(info: InstanceInfo, options: ClientOptions = {}): Client {
  return new Client(info, createSession(options));
}
