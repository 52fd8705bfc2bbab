import { NotFoundError } from '@hearth/protocol';
import {
  listJobs,
  OWNER,
  removeJob,
  retryJob,
  type OwnerContext,
  type StoredJob,
} from '@hearth/server';
import type { Command, Group } from './command.ts';
import { JSON_FLAG, listingText, resultText, type Listing } from './listing.ts';
import { withOwnerContext } from './owner-context.ts';
import { blamingOwner } from './owner-error.ts';
import { formatTime, inLine } from './text.ts';

const LISTING: Listing<StoredJob> = {
  fields: ({ id, kind, state, attempts, error, createdAtMs, dueAtMs }) => ({
    id,
    kind,
    state,
    attempts,
    created_at: createdAtMs,
    due_at: dueAtMs,
    ...(error !== '' && { error }),
  }),
  columns: [
    ['ID', ({ id }) => id],
    ['KIND', ({ kind }) => kind],
    ['STATE', ({ state }) => state],
    ['DUE', ({ dueAtMs }) => formatTime(dueAtMs)],
    ['ATTEMPTS', ({ attempts }) => `${attempts}`],
    ['ERROR', ({ error }) => inLine(error)],
  ],
  whenEmpty: 'There are no jobs.',
};

const FAILED_FLAG = {
  name: 'failed',
  about: 'List only jobs that are not tried again by themselves',
};

const listCommand: Command = {
  kind: 'command',
  name: 'list',
  alias: 'ls',
  about: 'List the first 1,000 jobs in the order in which they are due',
  parameters: [],
  flags: [FAILED_FLAG, JSON_FLAG],
  async run({ flags }, surroundings) {
    const isFailed = flags.has(FAILED_FLAG.name);
    await withOwnerContext(surroundings, 'maintenance', async (ctx) => {
      surroundings.print(listingText(LISTING, await listJobs(ctx, OWNER, { isFailed }), flags));
    });
    return 0;
  },
};

const retryCommand = commandOnJob({
  name: 'retry',
  about: 'Try a failed job again',
  work: retryJob,
  done: 'Job will be tried again:',
  missing: 'there is no failed job',
});

const removeCommand = commandOnJob({
  name: 'remove',
  alias: 'rm',
  about: 'Remove a job',
  work: removeJob,
  done: 'Removed job',
  missing: 'there is no job',
});

/** The owner's commands for work in the background. */
export const JOB_COMMANDS: Group = {
  kind: 'group',
  name: 'jobs',
  about: 'Manage work that is done in the background',
  commands: [listCommand, retryCommand, removeCommand],
};

function commandOnJob({
  work,
  done,
  missing,
  ...names
}: {
  readonly name: string;
  readonly alias?: string;
  readonly about: string;
  readonly work: (ctx: OwnerContext, actor: typeof OWNER, id: string) => Promise<void>;
  readonly done: string;
  readonly missing: string;
}): Command {
  return {
    kind: 'command',
    ...names,
    parameters: [{ name: 'job id', about: 'As hearth jobs list prints it' }],
    flags: [{ ...JSON_FLAG, about: 'Print the id as JSON' }],
    async run({ args: [id = ''], flags }, surroundings) {
      await blamingOwner(
        withOwnerContext(surroundings, 'maintenance', (ctx) => work(ctx, OWNER, id)),
        NotFoundError,
        () => `${missing} ${inLine(id)}: see hearth jobs list`,
      );
      surroundings.print(resultText(`${done} ${inLine(id)}`, { id }, flags));
      return 0;
    },
  };
}
