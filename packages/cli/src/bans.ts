import { ConflictError, NotFoundError, parseId } from '@hearth/protocol';
import {
  banAuthor,
  banClients,
  listBans,
  OWNER,
  parseClientRange,
  unban,
  type Ban,
  type OwnerContext,
  type Term,
} from '@hearth/server';
import type { Command } from './command.ts';
import { JSON_FLAG, listingText, resultText, type Listing } from './listing.ts';
import { withOwnerContext } from './owner-context.ts';
import { blamingOwner, conflictText, OwnerError } from './owner-error.ts';
import { TERM_FLAGS, termOf, termText } from './term.ts';
import { formatTime, inLine } from './text.ts';

const fieldsOf = ({ id, clients, created_at, until, reason }: Ban) => {
  return { id, clients, created_at, until, reason };
};

const LISTING: Listing<Ban> = {
  fields: fieldsOf,
  columns: [
    ['ID', ({ id }) => id],
    ['CLIENTS', ({ clients }) => clients],
    ['BANNED', ({ created_at }) => formatTime(created_at)],
    ['UNTIL', ({ until }) => (until === undefined ? 'unbanned' : formatTime(until))],
    ['REASON', ({ reason = '' }) => inLine(reason)],
  ],
  whenEmpty: 'Nobody is banned.',
};

const banCommand: Command = {
  kind: 'command',
  name: 'ban',
  about: 'Ban an address, a range of addresses, or the author of a message',
  parameters: [
    {
      name: 'address or message id',
      about: 'Such as 192.0.2.7, 192.0.2.0/24, 2001:db8::/48, or an id of hearth messages list',
    },
  ],
  flags: [...TERM_FLAGS, { ...JSON_FLAG, about: 'Print the ban as JSON' }],
  details: () => BAN_DETAILS,
  async run({ args: [given = ''], flags }, surroundings) {
    const term = termOf(flags);
    await withOwnerContext(surroundings, 'maintenance', async (ctx) => {
      const ban = await blamingOwner(banOf(ctx, given, term), ConflictError, conflictText);
      const line = `Banned ${ban.clients}${termText(ban)}: hearth unban ${ban.id} lifts it`;
      surroundings.print(resultText(line, fieldsOf(ban), flags));
    });
    return 0;
  },
};

const unbanCommand: Command = {
  kind: 'command',
  name: 'unban',
  about: 'Lift a ban',
  parameters: [{ name: 'address or ban id', about: 'As hearth bans lists it' }],
  flags: [{ ...JSON_FLAG, about: 'Print who was banned as JSON' }],
  async run({ args: [given = ''], flags }, surroundings) {
    const clients = await blamingOwner(
      withOwnerContext(surroundings, 'maintenance', (ctx) => unban(ctx, OWNER, given)),
      NotFoundError,
      () => `there is no ban of ${inLine(given)}: see hearth bans`,
    );
    surroundings.print(resultText(`Unbanned ${clients}`, { clients }, flags));
    return 0;
  },
};

const bansCommand: Command = {
  kind: 'command',
  name: 'bans',
  about: 'List the bans, oldest first',
  parameters: [],
  flags: [JSON_FLAG],
  async run({ flags }, surroundings) {
    await withOwnerContext(surroundings, 'maintenance', async (ctx) => {
      surroundings.print(listingText(LISTING, await listBans(ctx, OWNER), flags));
    });
    return 0;
  },
};

/** The owner's commands that restrict some clients. */
export const BAN_COMMANDS: readonly Command[] = [banCommand, unbanCommand, bansCommand];

const BAN_DETAILS = `A banned client can read, but it can neither post nor upload, and is disconnected from the gateway. Of an IPv6 address,
the first 64 bits count, as they do for rate limits.

The address of a message's author is never stored. The process that took the message remembers it for an hour, so a
message id works only while the instance runs.`;

function banOf(ctx: OwnerContext, given: string, term: Term): Promise<Ban> {
  const messageId = parseId(given);
  if (messageId !== undefined) {
    return blamingOwner(
      banAuthor(ctx, OWNER, { messageId, term }),
      NotFoundError,
      () =>
        `the address of message ${messageId} is not known: it was posted more than an hour ago, or its process was stopped`,
    );
  }
  const range = parseClientRange(given);
  if (range !== undefined) return banClients(ctx, OWNER, { range, term });
  throw new OwnerError(
    `expected an address, a range no larger than /8 (IPv4) or /16 (IPv6), or a message id, got "${inLine(given)}"`,
  );
}
