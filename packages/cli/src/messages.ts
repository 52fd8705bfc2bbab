import { HISTORY_PAGE, type Id } from '@hearth/protocol';
import { listNewestMessages, OWNER, type OwnerContext } from '@hearth/server';
import type { Command, Group } from './command.ts';
import { JSON_FLAG, listingText } from './listing.ts';
import { MESSAGE_LISTING } from './message-listing.ts';
import { idOf, MESSAGES_REMOVE } from './messages-remove.ts';
import { withOwnerContext } from './owner-context.ts';
import { OwnerError } from './owner-error.ts';

const listCommand: Command = {
  kind: 'command',
  name: 'list',
  alias: 'ls',
  about: 'List the newest messages, oldest first',
  parameters: [],
  flags: [
    {
      name: 'limit',
      value: 'n',
      about: `Maximum number of messages (default: ${HISTORY_PAGE.default})`,
    },
    {
      name: 'before',
      value: 'id',
      about: 'List messages before this one, such as the first of a list',
    },
    JSON_FLAG,
  ],
  async run({ flags }, surroundings) {
    const limit = limitOf(flags.get('limit'));
    const given = flags.get('before');
    const before = given === undefined ? undefined : idOf(given);
    await withOwnerContext(surroundings, 'maintenance', async (ctx) => {
      const messages = await listNewestMessages(ctx, OWNER, { before, limit });
      const listing = { ...MESSAGE_LISTING, whenEmpty: whenEmpty(ctx, before) };
      surroundings.print(listingText(listing, messages.toReversed(), flags));
    });
    return 0;
  },
};

/** The owner's commands for the messages of the lobby. */
export const MESSAGE_COMMANDS: Group = {
  kind: 'group',
  name: 'messages',
  about: 'Manage the message history',
  commands: [listCommand, MESSAGES_REMOVE],
};

function limitOf(given: string = String(HISTORY_PAGE.default)): number {
  const limit = /^\d+$/.test(given) ? Number(given) : 0;
  if (limit >= 1) return limit;
  throw new OwnerError(`--limit must be a whole number of at least 1, not "${given}"`);
}

function whenEmpty({ settings }: OwnerContext, before: Id | undefined): string {
  if (settings.rest.history.messages === 0) {
    return 'No messages are kept: the instance file switches the history off (oprish.history.messages = 0).';
  }
  return before === undefined
    ? 'There are no messages.'
    : `There are no messages before ${before}.`;
}
