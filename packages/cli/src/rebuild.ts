import {
  OWNER,
  progressText,
  rebuildCounters,
  rebuildSearch,
  showSearchProgress,
} from '@hearth/server';
import type { Command, Group } from './command.ts';
import { JSON_FLAG, resultText } from './listing.ts';
import { withOwnerContext } from './owner-context.ts';

const searchCommand: Command = {
  kind: 'command',
  name: 'search',
  about: 'Rebuild the search index',
  parameters: [],
  flags: [],
  details: () =>
    'A running instance does this in the background, otherwise the next start does. Searches find everything meanwhile. hearth rebuild status shows how far it is.',
  async run(_invocation, surroundings) {
    await withOwnerContext(surroundings, 'maintenance', (ctx) => rebuildSearch(ctx, OWNER));
    surroundings.print('The search index is rebuilt in the background\n');
    return 0;
  },
};

const statusCommand: Command = {
  kind: 'command',
  name: 'status',
  about: 'Show how far the search index is',
  parameters: [],
  flags: [{ ...JSON_FLAG, about: 'Print it as JSON' }],
  async run({ flags }, surroundings) {
    const progress = await withOwnerContext(surroundings, 'maintenance', (ctx) =>
      showSearchProgress(ctx, OWNER),
    );
    const text = progress === undefined ? 'is made when the instance runs' : progressText(progress);
    const { isComplete: complete = false, entries = 0, of } = progress ?? {};
    surroundings.print(resultText(`The search index ${text}`, { complete, entries, of }, flags));
    return 0;
  },
};

const countersCommand: Command = {
  kind: 'command',
  name: 'counters',
  about: 'Count votes, comments and points again',
  parameters: [],
  flags: [],
  details: () =>
    'Prints how many were wrong; they are right afterwards. The instance may run meanwhile.',
  async run(_invocation, surroundings) {
    const wrong = await withOwnerContext(surroundings, 'maintenance', (ctx) =>
      rebuildCounters(ctx, OWNER),
    );
    const { posts, comments, polls, points } = wrong;
    const parts = `posts: ${posts}, comments: ${comments}, polls: ${polls}, points of people: ${points}`;
    surroundings.print(`Wrong counters: ${posts + comments + polls + points} (${parts})\n`);
    return 0;
  },
};

/** The owner's commands that rebuild derived data. */
export const REBUILD_COMMANDS: Group = {
  kind: 'group',
  name: 'rebuild',
  about: 'Rebuild derived data',
  commands: [searchCommand, countersCommand, statusCommand],
};
