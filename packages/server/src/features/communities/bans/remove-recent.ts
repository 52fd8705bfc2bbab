import type { Id } from '@hearth/protocol';
import { idSchema } from '@hearth/protocol/schemas';
import { z } from 'zod';
import type { Transaction } from '../../../ports/database/database.ts';
import { addJob, type JobKind } from '../../platform/jobs/jobs.ts';

const removalSchema = z.object({
  community_id: idSchema,
  user_id: idSchema,
  since_ms: z.number(),
  until_ms: z.number(),
});

/** Contents that somebody who was banned posted in a community shortly before. */
export interface RecentContents {
  readonly communityId: Id;
  readonly userId: Id;
  /** Unix milliseconds; both ends belong to it. */
  readonly sinceMs: number;
  readonly untilMs: number;
  readonly signal: AbortSignal;
}

/** Removes what a feature has of it. It may have been interrupted before, so it allows for being repeated. */
export type RemoveRecent<Ctx> = (ctx: Ctx, recent: RecentContents) => Promise<void>;

type Removal = z.infer<typeof removalSchema>;

const REMOVE_RECENT: Pick<JobKind<Removal>, 'name' | 'parse'> = {
  name: 'remove-recent',
  parse: (json) => removalSchema.parse(json),
};

/** The kind of jobs that remove what people who were banned had posted shortly before. */
export function removeRecent<Ctx>(
  ctx: Ctx,
  removers: readonly RemoveRecent<Ctx>[],
): JobKind<Removal> {
  return {
    ...REMOVE_RECENT,
    mostAttempts: 10,
    async run(removal, { signal }) {
      const { community_id: communityId, user_id: userId } = removal;
      const [sinceMs, untilMs] = [removal.since_ms, removal.until_ms];
      for (const remove of removers) {
        await remove(ctx, { communityId, userId, sinceMs, untilMs, signal });
      }
    },
  };
}

/** Adds the job for somebody who is banned now. */
export async function addRemoval(
  tx: Transaction,
  {
    communityId,
    userId,
    sinceMs,
    nowMs,
  }: Pick<RecentContents, 'communityId' | 'userId' | 'sinceMs'> & { readonly nowMs: number },
): Promise<void> {
  const times = { since_ms: sinceMs, until_ms: nowMs };
  const payload = { community_id: communityId, user_id: userId, ...times };
  await addJob(tx, REMOVE_RECENT, { payload, nowMs });
}
