import { OWNER, rebuildSearch } from '@hearth/server';
import type { Command, Group } from './command.ts';
import { withOwnerContext } from './owner-context.ts';

const searchCommand: Command = {
  kind: 'command',
  name: 'search',
  about: 'Rebuild the search index',
  parameters: [],
  flags: [],
  details: () =>
    'A running instance does this in the background, otherwise the next start does. Searches find everything meanwhile.',
  async run(_invocation, surroundings) {
    await withOwnerContext(surroundings, 'maintenance', (ctx) => rebuildSearch(ctx, OWNER));
    surroundings.print('The search index is rebuilt in the background\n');
    return 0;
  },
};

/** The owner's commands that rebuild derived data. */
export const REBUILD_COMMANDS: Group = {
  kind: 'group',
  name: 'rebuild',
  about: 'Rebuild derived data',
  commands: [searchCommand],
};
