import { NotFoundError, parseId, type Id } from '@hearth/protocol';
import { ATTACHMENT_LISTING } from './attachments.ts';
import type { Command, Invocation, Surroundings } from './command.ts';
import { canAsk, confirm } from './confirm.ts';
import { JSON_FLAG, jsonText, listingText } from './listing.ts';
import { MESSAGE_LISTING } from './message-listing.ts';
import { withOwnerContext } from './owner-context.ts';
import { blamingOwner, OwnerError, UsageError } from './owner-error.ts';
import {
  amountText,
  carryOut,
  filterText,
  findRemoval,
  type MessagesAndFiles,
  type Removal,
} from './removal.ts';
import { sinceMsOf } from './since.ts';

/** `hearth messages remove`. */
export const MESSAGES_REMOVE: Command = {
  kind: 'command',
  name: 'remove',
  alias: 'rm',
  about: 'Remove a message, or all messages of an author or a time',
  parameters: [{ name: 'id', about: 'Id of the message, as listed', isOptional: true }],
  flags: [
    { name: 'author', value: 'name', about: 'Remove the messages of this author' },
    {
      name: 'since',
      value: 'time',
      about: 'Remove messages from this time on: 30m, 1h, 7d, or "2026-01-31 08:05" in UTC',
    },
    { name: 'with-files', about: 'Also remove the uploads that no other message names' },
    { name: 'dry-run', about: 'List what would be removed' },
    { name: 'yes', letter: 'y', about: 'Do not ask before messages are removed by author or time' },
    JSON_FLAG,
  ],
  details: () =>
    'Clients that show the message remove it within a second. Those that know only the documented interface keep it.',
  async run({ args: [given], flags }, surroundings) {
    const removal = removalOf(given, flags);
    const isDry = flags.has('dry-run');
    if (isDry || (!('id' in removal.which) && !flags.has('yes'))) {
      // The instance's data is not held open while somebody is asked.
      const found = await inContext(removal, surroundings, findRemoval);
      if (isDry || found.messages.length === 0) {
        surroundings.print(
          found.messages.length === 0 ? noneText(removal, flags) : listText(found, flags),
        );
        return 0;
      }
      if (!(await isWanted(amountText(found, filterText(removal)), surroundings))) return 1;
    }
    const removed = await inContext(removal, surroundings, carryOut);
    surroundings.print(removedText(removed, removal, flags));
    return 0;
  },
};

/** The id of a message, as it was typed. Throws OwnerError. */
export function idOf(given: string): Id {
  const id = parseId(given);
  if (id === undefined) throw new OwnerError(`"${given}" is not an id: see hearth messages list`);
  return id;
}

function removalOf(given: string | undefined, flags: Invocation['flags']): Removal {
  const [author, since] = [flags.get('author'), flags.get('since')];
  const withFiles = flags.has('with-files');
  const hasFilter = author !== undefined || since !== undefined;
  if (given !== undefined) {
    if (hasFilter) throw new UsageError('<id> cannot be combined with --author and --since');
    return { which: { id: idOf(given) }, withFiles };
  }
  if (!hasFilter) throw new UsageError('missing <id>, --author or --since');
  const sinceMs = since === undefined ? undefined : sinceMsOf(since, Date.now());
  return { which: { author, sinceMs }, withFiles };
}

async function inContext(
  removal: Removal,
  surroundings: Surroundings,
  work: typeof findRemoval,
): Promise<MessagesAndFiles> {
  const { which } = removal;
  return blamingOwner(
    withOwnerContext(surroundings, 'maintenance', (ctx) => work(ctx, removal)),
    NotFoundError,
    () => `there is no message ${'id' in which ? which.id : ''}: see hearth messages list`,
  );
}

async function isWanted(what: string, surroundings: Surroundings): Promise<boolean> {
  if (!canAsk(surroundings)) {
    throw new OwnerError(
      `nothing was removed: add --yes to remove ${what}, or --dry-run to list them`,
    );
  }
  if (await confirm(`Remove ${what}?`, surroundings)) return true;
  surroundings.warn('Nothing was removed\n');
  return false;
}

function listText(found: MessagesAndFiles, flags: Invocation['flags']): string {
  if (flags.has(JSON_FLAG.name)) return jsonOf(found);
  const { messages, files } = found;
  const filesText = files.length === 0 ? '' : `\n${listingText(ATTACHMENT_LISTING, files, flags)}`;
  const listing = listingText({ ...MESSAGE_LISTING, whenEmpty: '' }, messages, flags);
  return `${listing}${filesText}\n${amountText(found)} would be removed\n`;
}

function removedText(
  removed: MessagesAndFiles,
  removal: Removal,
  flags: Invocation['flags'],
): string {
  const { which } = removal;
  if (removed.messages.length === 0) return noneText(removal, flags);
  if (flags.has(JSON_FLAG.name)) return jsonOf(removed);
  if (!('id' in which)) return `Removed ${amountText(removed)}\n`;
  const files = amountText(removed).replace(/^1 message/, '');
  return `Removed ${which.id}${files}\n`;
}

function noneText(removal: Removal, flags: Invocation['flags']): string {
  if (flags.has(JSON_FLAG.name)) return jsonOf({ messages: [], files: [] });
  return `There are no messages${filterText(removal)}.\n`;
}

function jsonOf({ messages, files }: MessagesAndFiles): string {
  const value = {
    messages: messages.map(MESSAGE_LISTING.fields),
    files: files.map(ATTACHMENT_LISTING.fields),
  };
  return `${jsonText(value)}\n`;
}
