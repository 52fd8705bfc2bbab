import type { Id } from '@hearth/protocol';
import type { GatewayPart } from '../../../gateway-host.ts';
import type { KeepsCommunities } from './known-communities.ts';

/** Events after which what is remembered of a community is outdated, even before the database reports it. */
const STRUCTURE = /^(COMMUNITY|ROLE|CHANNEL)_/;

/** Forgets what is remembered of communities that events change. */
export function outdateCommunities({ communities }: KeepsCommunities): GatewayPart {
  return {
    take({ event }) {
      if (!STRUCTURE.test(event.op)) return;
      const id = communityIn(event.d);
      if (id !== undefined) communities.outdate(id);
    },
  };
}

// Guarantee: only verbs publish, and they publish events of the protocol.
function communityIn(d: object): Id | undefined {
  const { id, community_id: communityId } = d as { id?: Id; community_id?: Id };
  return communityId ?? id;
}
