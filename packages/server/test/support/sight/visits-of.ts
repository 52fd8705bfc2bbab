import type { Id } from '@hearth/protocol';
import { AudienceReads } from '../../../src/features/communities/audiences/audience-reads.ts';
import { COMMUNITIES } from '../../../src/features/communities/audiences/find-audiences.ts';
import { readFollowed } from '../../../src/features/communities/audiences/followed.ts';
import { Visits } from '../../../src/features/communities/visits/visits.ts';
import type { ConnectedClient, Followers } from '../../../src/gateway-host.ts';
import type { InstanceContext } from '../../../src/instance-context.ts';

const CLIENT: ConnectedClient = {
  data: { status: { state: 'open' }, profile: { version: 2 } },
  send: () => 1,
  subscribe: () => true,
  unsubscribe: () => true,
  getBufferedAmount: () => 0,
};

/** Resolves with whether somebody who is no member may visit a community. */
export async function visitsOf(
  ctx: InstanceContext,
  { user, id }: { readonly user: Id | undefined; readonly id: Id },
): Promise<boolean> {
  const { database, log } = ctx;
  const followed = new Set<string>();
  const hub: Followers = {
    open: (_client, { stream }) => followed.add(stream).has(stream),
    decide: (_client, stream, mayFollow) => {
      if (!mayFollow) followed.delete(stream);
    },
    follows: (_client, stream) => followed.has(stream),
    isHeld: () => false,
  };
  const kinds = [COMMUNITIES];
  const reads = new AudienceReads({
    database,
    kinds,
    since: () => ({
      placeOf: () => ({ epoch: '', position: 0 }),
      mayHaveEnded: () => false,
      [Symbol.dispose]: () => {},
    }),
    queries: {
      followed: (by) => readFollowed(ctx, kinds, by),
      whole: async () => () => ({}),
    },
  });
  const audiences = { isMember: () => false };
  const visits = new Visits({ database, log, reads, audiences, hub, mayGuestsRead: true });
  try {
    return await visits.begin(CLIENT, user, id);
  } finally {
    visits.stop();
    reads.stop();
  }
}
