/** The part of a client that knows communities, for programs that load it later than the rest. */
import type { Client } from './client.ts';
import type { CommunitiesClient } from './communities/communities-client.ts';
import { CommunitiesPart } from './communities/part.ts';

export {
  givenText,
  sendText,
  shownMessage,
  type ChannelDetails,
  type GivenText,
  type TextAddresses,
  type WrittenText,
} from './channels/channel-text.ts';

/**
 * Gives a client that `createLightClient` made what `communities`, `channel` and `watch` need. Once; later calls change nothing.
 *
 * @example addCommunities(client).all().map(({ name }) => name)
 */
export function addCommunities(client: Client): CommunitiesClient {
  return client.add((host) => new CommunitiesPart(host));
}
