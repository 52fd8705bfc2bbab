import { NotFoundError } from '@hearth/protocol';
import {
  endAnySession,
  endSessionsOfUser,
  listAllSessions,
  OWNER,
  type ManagedSession,
} from '@hearth/server';
import type { Command, Group } from './command.ts';
import { JSON_FLAG, listingText, resultText, type Listing } from './listing.ts';
import { withOwnerContext } from './owner-context.ts';
import { blamingOwner, UsageError } from './owner-error.ts';
import { formatTime, inLine } from './text.ts';
import { LIMIT_FLAG, limitOf, onUser, USER } from './user-argument.ts';

const LISTING: Listing<ManagedSession> = {
  fields: (session) => ({
    id: session.id,
    user_id: session.user_id,
    username: session.username,
    ...(session.client_name !== '' && {
      client: { name: session.client_name, platform: session.client_platform },
    }),
    ...(session.address_hint !== '' && { address_hint: session.address_hint }),
    created_at: session.created_at_ms,
    last_used_at: session.last_used_at_ms,
  }),
  columns: [
    ['ID', ({ id }) => id],
    ['NAME', ({ username }) => username],
    ['USED', ({ last_used_at_ms }) => formatTime(last_used_at_ms)],
    ['NETWORK', ({ address_hint }) => address_hint],
    ['CLIENT', ({ client_name, client_platform }) => inLine(`${client_name} ${client_platform}`)],
  ],
  whenEmpty: 'Nobody is signed in.',
};

const listCommand: Command = {
  kind: 'command',
  name: 'list',
  alias: 'ls',
  about: 'List the sessions of an account, or of all, last used first',
  parameters: [{ ...USER, isOptional: true }],
  flags: [LIMIT_FLAG, JSON_FLAG],
  async run({ args: [user], flags }, surroundings) {
    const limit = limitOf(flags);
    const sessions = await onUser({ name: user ?? '' }, surroundings, (ctx) =>
      listAllSessions(ctx, OWNER, { user, limit }),
    );
    surroundings.print(listingText(LISTING, sessions, flags));
    return 0;
  },
};

const endCommand: Command = {
  kind: 'command',
  name: 'end',
  about: 'End a session, or all of an account',
  parameters: [
    { name: 'session id', about: 'As hearth sessions list prints it', isOptional: true },
  ],
  flags: [
    { name: 'user', value: 'name or id', about: 'End all sessions of this account' },
    { ...JSON_FLAG, about: 'Print what was ended as JSON' },
  ],
  async run({ args: [id], flags }, surroundings) {
    const user = flags.get('user');
    if ((id === undefined) === (user === undefined)) {
      throw new UsageError('expected <session id> or --user, and not both');
    }
    if (user !== undefined) {
      const { id: userId, username } = await onUser({ name: user }, surroundings, (ctx) =>
        endSessionsOfUser(ctx, OWNER, user),
      );
      const fields = { user_id: userId, username };
      surroundings.print(resultText(`Ended all sessions of ${username}`, fields, flags));
      return 0;
    }
    const session = id ?? '';
    await blamingOwner(
      withOwnerContext(surroundings, 'maintenance', (ctx) => endAnySession(ctx, OWNER, session)),
      NotFoundError,
      () => `there is no session ${inLine(session)}: see hearth sessions list`,
    );
    surroundings.print(resultText(`Ended session ${session}`, { id: session }, flags));
    return 0;
  },
};

/** The owner's commands for sessions. */
export const SESSION_COMMANDS: Group = {
  kind: 'group',
  name: 'sessions',
  about: 'List and end the sessions of accounts',
  commands: [listCommand, endCommand],
};
