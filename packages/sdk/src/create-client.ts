import type { InstanceInfo } from '@hearth/protocol';
import type { Client } from './client.ts';
import { createLightClient } from './create-light-client.ts';
import { addPosts } from './posts.ts';
import type { ClientOptions } from './types.ts';

/** Makes a client of an instance that is already known. Throws TypeError if an address in `info` is not valid. */
export function createClient(info: InstanceInfo, options: ClientOptions = {}): Client {
  const client = createLightClient(info, options);
  addPosts(client);
  return client;
}
