import { HISTORY_PAGE, NotFoundError, parseId, type Id, type LobbyMessage } from '@hearth/protocol';
import { listNewestMessages, OWNER, removeMessage, type OwnerContext } from '@hearth/server';
import type { Command, Group } from './command.ts';
import { JSON_FLAG, listingText, type Listing } from './listing.ts';
import { withOwnerContext } from './owner-context.ts';
import { blamingOwner, OwnerError } from './owner-error.ts';
import { formatTime, inLine } from './text.ts';

const LISTING: Omit<Listing<LobbyMessage>, 'whenEmpty'> = {
  fields: ({ id, author, content, created_at }) => {
    return { id, author, content, created_at };
  },
  columns: [
    ['ID', ({ id }) => id],
    ['POSTED', ({ created_at }) => formatTime(created_at)],
    ['AUTHOR', ({ author }) => inLine(author)],
    ['CONTENT', ({ content }) => inLine(content)],
  ],
};

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
      const listing = { ...LISTING, whenEmpty: whenEmpty(ctx, before) };
      surroundings.print(listingText(listing, messages.toReversed(), flags));
    });
    return 0;
  },
};

const removeCommand: Command = {
  kind: 'command',
  name: 'remove',
  alias: 'rm',
  about: 'Remove a message',
  parameters: [{ name: 'id', about: 'Id of the message, as listed' }],
  flags: [],
  details: () =>
    'Clients that show the message remove it within a second. Those that know only the documented interface keep it.',
  async run({ args: [given = ''] }, surroundings) {
    const id = idOf(given);
    await blamingOwner(
      withOwnerContext(surroundings, 'maintenance', (ctx) => removeMessage(ctx, OWNER, id)),
      NotFoundError,
      () => `there is no message ${id}: see hearth messages list`,
    );
    surroundings.print(`Removed ${id}\n`);
    return 0;
  },
};

/** The owner's commands for the messages of the lobby. */
export const MESSAGE_COMMANDS: Group = {
  kind: 'group',
  name: 'messages',
  about: 'Manage the message history',
  commands: [listCommand, removeCommand],
};

function limitOf(given: string = String(HISTORY_PAGE.default)): number {
  const limit = /^\d+$/.test(given) ? Number(given) : 0;
  if (limit >= 1) return limit;
  throw new OwnerError(`--limit must be a whole number of at least 1, not "${given}"`);
}

function idOf(given: string): Id {
  const id = parseId(given);
  if (id === undefined) throw new OwnerError(`"${given}" is not an id: see hearth messages list`);
  return id;
}

function whenEmpty({ settings }: OwnerContext, before: Id | undefined): string {
  if (settings.rest.history.messages === 0) {
    return 'No messages are kept: the instance file switches the history off (oprish.history.messages = 0).';
  }
  return before === undefined
    ? 'There are no messages.'
    : `There are no messages before ${before}.`;
}
