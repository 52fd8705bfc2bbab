import type { Account } from '../../../actor.ts';
import type { Context } from '../../../context.ts';
import type { Transaction } from '../../../ports/database/database.ts';
import { audit, beginEntry, type Act } from '../../communities/audit/audit.ts';
import { keepCommunity } from '../../communities/structure/structure.ts';
import { inChannel } from './channels.ts';
import type { PlaceAccess } from './place.ts';

/** Records what is done in a place in the audit log of its community; elsewhere there is none. */
export interface PlaceRecord {
  /** Keeps the community from being removed. To be called before the place is locked. */
  hold(tx: Transaction): Promise<void>;
  note(tx: Transaction, access: PlaceAccess, act: Omit<Act, 'channel'>): Promise<void>;
}

const NO_RECORD: PlaceRecord = { hold: async () => {}, note: async () => {} };

/** Begins to record what somebody is about to do in a place. */
export async function beginRecord(
  ctx: Pick<Context, 'ids' | 'clock'>,
  actor: Account,
  { place: { communityId } }: Pick<PlaceAccess, 'place'>,
): Promise<PlaceRecord> {
  if (communityId === '') return NO_RECORD;
  const entry = await beginEntry(ctx, actor, communityId);
  return {
    hold: (tx) => keepCommunity(tx, communityId),
    note: (tx, access, act) => audit(tx, entry, { ...act, channel: inChannel(access).channel }),
  };
}
