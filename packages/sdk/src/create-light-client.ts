import type { InstanceInfo } from '@hearth/protocol';
import { Client } from './client.ts';
import { createSession } from './session.ts';
import type { ClientOptions } from './types.ts';

/**
 * Makes a client like `createClient`, but without communities, which a page can load later: `addCommunities` of
 * `@hearth/sdk/communities` adds them, with everything that the gateway has sent about them meanwhile. Until then
 * `communities`, `channel` and `watch` throw HearthError.
 */
export function createLightClient(info: InstanceInfo, options: ClientOptions = {}): Client {
  return new Client(info, createSession(options));
}
