import { userStream, type Id } from '@hearth/protocol';
import { idSchema } from '@hearth/protocol/schemas';
import { z } from 'zod';
import { ANYONE } from '../../../actor.ts';
import type { Context } from '../../../context.ts';
import type { EmittingTransaction } from '../../../ports/outbox/outbox.ts';
import type { JobKind } from '../../platform/jobs/jobs.ts';
import {
  accessOf,
  lockCommunity,
  memberKey,
  readCommunity,
  selectMembersAfter,
} from '../structure/structure.ts';
import { describeOwnCommunity } from '../members/members.ts';

/** The number of members who are sent the community in one transaction. */
const MEMBERS_AT_ONCE = 50;

const payloadSchema = z.object({ community_id: idSchema });

type Payload = z.infer<typeof payloadSchema>;

export const ANNOUNCE_RESTORED: Pick<JobKind<Payload>, 'name' | 'parse'> = {
  name: 'announce-restored',
  parse: (json) => payloadSchema.parse(json),
};

/**
 * Sends the clients of all members a community that was restored. Their gateways do not follow it any more, so each of them
 * has to hear of it: the only event of a community that is stored once per member.
 */
export function announceRestored(ctx: Pick<Context, 'database' | 'clock'>): JobKind<Payload> {
  return {
    ...ANNOUNCE_RESTORED,
    mostAttempts: 20,
    async run({ community_id: id }, { signal }) {
      for (let last: Id | undefined | 'none'; last !== 'none';) {
        signal.throwIfAborted();
        const after = last;
        last = await ctx.database.transaction((tx) => announceSome(tx, ctx, { id, after }));
      }
    },
  };
}

/** The last one of those who were sent it; none if there are no more. */
async function announceSome(
  tx: EmittingTransaction,
  { clock }: Pick<Context, 'clock'>,
  { id, after }: { readonly id: Id; readonly after: Id | undefined },
): Promise<Id | 'none'> {
  // It may have been deleted again.
  if ((await lockCommunity(tx, id)) === undefined) return 'none';
  const community = await readCommunity(tx.sql, id);
  if (community === undefined) return 'none';
  const members = await selectMembersAfter(tx.sql, id, { after, limit: MEMBERS_AT_ONCE });
  const nowMs = clock.unixMs();
  for (const member of members) {
    const access = { ...accessOf({ clock }, ANYONE, { community, member }), member };
    const d = describeOwnCommunity(access, { lastIds: new Map(), nowMs });
    const stream = userStream(member.userId);
    tx.changed('members', memberKey(id, member.userId));
    await tx.emit({ stream, event: { op: 'COMMUNITY_CREATE', d } }, { subject: stream });
  }
  return members.length < MEMBERS_AT_ONCE ? 'none' : (members.at(-1)?.userId ?? 'none');
}
