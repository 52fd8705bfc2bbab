import { idSchema } from '@hearth/protocol/schemas';
import { z } from 'zod';
import type { Context } from '../../context.ts';
import { letOthersRun } from '../../lib/let-others-run.ts';
import { addJob } from '../jobs/add-job.ts';
import type { JobKind } from '../jobs/job-kind.ts';
import { holdUser } from '../users/hold-active-user.ts';
import { selectNamedAfter } from './names-store.ts';
import { renameMember } from './rename-member.ts';

/** Members of one job, which adds the next one. */
const MEMBERS_AT_ONCE = 200;

const foldingSchema = z.object({ after: z.union([idSchema, z.literal('')]) });

/** The names of which members are stored again: of those with a larger id. */
type Folding = z.infer<typeof foldingSchema>;

const FOLD_NAMES: Pick<JobKind<Folding>, 'name' | 'parse'> = {
  name: 'fold-member-names',
  parse: (json) => foldingSchema.parse(json),
};

/**
 * The kind of jobs that store the names of members again, because they are folded in another way: of `atOnce` at a time. A
 * migration adds the first job.
 */
export function foldNames(
  { database, clock }: Pick<Context, 'database' | 'clock'>,
  atOnce = MEMBERS_AT_ONCE,
): JobKind<Folding> {
  return {
    ...FOLD_NAMES,
    atOnce: 1,
    mostAttempts: 10,
    async run({ after }, { signal }) {
      const ids = await selectNamedAfter(database.reader, after, atOnce);
      for (const id of ids) {
        signal.throwIfAborted();
        await database.transaction(async (tx) => renameMember(tx, id, await holdUser(tx, id)));
        await letOthersRun();
      }
      const last = ids.at(-1);
      if (last === undefined) return;
      const next = { payload: { after: last }, nowMs: clock.unixMs() };
      const id = `${FOLD_NAMES.name}:${last}`;
      await database.transaction((tx) => addJob(tx, FOLD_NAMES, { ...next, id }));
    },
  };
}
