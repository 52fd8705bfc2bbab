import { ConflictError, NotFoundError } from '@hearth/protocol';
import {
  blockRegistration,
  listRegistrationBlocks,
  OWNER,
  parseBlockable,
  unblockRegistration,
  type RegistrationBlock,
} from '@hearth/server';
import type { Command, Group } from './command.ts';
import { JSON_FLAG, listingText, resultText, type Listing } from './listing.ts';
import { withOwnerContext } from './owner-context.ts';
import { blamingOwner, conflictText, OwnerError } from './owner-error.ts';
import { TERM_FLAGS, termOf, termText } from './term.ts';
import { formatTime, inLine } from './text.ts';

const fieldsOf = ({ id, kind, value, created_at, until, reason }: RegistrationBlock) => {
  return { id, kind, value, created_at, until, reason };
};

const LISTING: Listing<RegistrationBlock> = {
  fields: fieldsOf,
  columns: [
    ['ID', ({ id }) => id],
    ['BLOCKED', ({ value }) => value],
    ['SINCE', ({ created_at }) => formatTime(created_at)],
    ['UNTIL', ({ until }) => (until === undefined ? 'unblocked' : formatTime(until))],
    ['REASON', ({ reason = '' }) => inLine(reason)],
  ],
  whenEmpty: 'Nothing is blocked.',
};

const blockCommand: Command = {
  kind: 'command',
  name: 'block',
  about: 'Let nobody register with a mail domain, or from an address or a range',
  parameters: [
    {
      name: 'domain or address',
      about: 'Such as example.org (also blocks mail.example.org), 192.0.2.7 or 192.0.2.0/24',
    },
  ],
  flags: [...TERM_FLAGS, { ...JSON_FLAG, about: 'Print the block as JSON' }],
  details: () => 'People who have an account keep it, and can sign in.',
  async run({ args: [given = ''], flags }, surroundings) {
    const [term, what] = [termOf(flags), parseBlockable(given)];
    if (what === undefined) {
      throw new OwnerError(
        `expected a mail domain, an address, or a range no larger than /8 (IPv4) or /16 (IPv6), got "${inLine(given)}"`,
      );
    }
    const block = await blamingOwner(
      withOwnerContext(surroundings, 'maintenance', (ctx) =>
        blockRegistration(ctx, OWNER, { what, term }),
      ),
      ConflictError,
      conflictText,
    );
    const line = `Blocked ${block.value}${termText(block)}: hearth registration unblock ${block.id} lifts it`;
    surroundings.print(resultText(line, fieldsOf(block), flags));
    return 0;
  },
};

const unblockCommand: Command = {
  kind: 'command',
  name: 'unblock',
  about: 'Lift a block',
  parameters: [{ name: 'domain, address or id', about: 'As hearth registration blocks lists it' }],
  flags: [{ ...JSON_FLAG, about: 'Print what was blocked as JSON' }],
  async run({ args: [given = ''], flags }, surroundings) {
    const value = await blamingOwner(
      withOwnerContext(surroundings, 'maintenance', (ctx) =>
        unblockRegistration(ctx, OWNER, given),
      ),
      NotFoundError,
      () => `there is no block of ${inLine(given)}: see hearth registration blocks`,
    );
    surroundings.print(resultText(`Unblocked ${value}`, { value }, flags));
    return 0;
  },
};

const blocksCommand: Command = {
  kind: 'command',
  name: 'blocks',
  about: 'List what is blocked, oldest first',
  parameters: [],
  flags: [JSON_FLAG],
  async run({ flags }, surroundings) {
    await withOwnerContext(surroundings, 'maintenance', async (ctx) => {
      surroundings.print(listingText(LISTING, await listRegistrationBlocks(ctx, OWNER), flags));
    });
    return 0;
  },
};

/** The owner's commands that restrict who may register. */
export const REGISTRATION_COMMANDS: Group = {
  kind: 'group',
  name: 'registration',
  about: 'Block mail domains and addresses for registering',
  commands: [blockCommand, unblockCommand, blocksCommand],
};
