import { isEmptyMask, permissionNames, STAFF_PERMISSIONS } from '@hearth/protocol';
import { listUsers, OWNER, showUser, type ManagedUser, type OwnerContext } from '@hearth/server';
import type { Command, Group } from './command.ts';
import { JSON_FLAG, listingText, resultText, type Listing } from './listing.ts';
import { withOwnerContext } from './owner-context.ts';
import { UsageError } from './owner-error.ts';
import { alignColumns, formatTime, inLine } from './text.ts';
import { LIMIT_FLAG, limitOf, onUser, USER } from './user-argument.ts';
import { USER_CHANGES } from './users-change.ts';
import { CREATE_USER, RESET_PASSWORD } from './users-password.ts';

const STATES = ['active', 'pending', 'disabled', 'deleted'] as const;

/** An account as JSON. */
export function fieldsOfUser(user: ManagedUser): object {
  const staff = permissionNames(STAFF_PERMISSIONS, user.staff_permissions);
  return {
    id: user.id,
    username: user.username,
    ...(user.display_name !== '' && { display_name: user.display_name }),
    ...(user.email !== '' && {
      email: user.email,
      email_verified: user.email_verified_at_ms > 0,
    }),
    state: user.state,
    ...(staff.length > 0 && { staff_permissions: staff }),
    ...(user.invited_by !== '' && { invited_by: user.invited_by }),
    created_at: user.created_at_ms,
  };
}

const LISTING: Listing<ManagedUser> = {
  fields: fieldsOfUser,
  columns: [
    ['ID', ({ id }) => id],
    ['STATE', ({ state }) => state],
    ['STAFF', ({ staff_permissions }) => (isEmptyMask(staff_permissions) ? '' : 'staff')],
    ['CREATED', ({ created_at_ms }) => formatTime(created_at_ms)],
    ['NAME', ({ username }) => username],
    ['EMAIL', ({ email }) => inLine(email)],
  ],
  whenEmpty: 'There are no such accounts.',
};

const listCommand: Command = {
  kind: 'command',
  name: 'list',
  alias: 'ls',
  about: 'List accounts, newest first',
  parameters: [],
  flags: [
    { name: 'state', value: 'state', about: `${STATES.join(', ')} (default: all but deleted)` },
    { name: 'staff', about: 'List only the staff' },
    {
      name: 'invited-by',
      value: 'user',
      about: 'List only those who registered with an invite of this account',
    },
    LIMIT_FLAG,
    JSON_FLAG,
  ],
  async run({ flags }, surroundings) {
    const given = flags.get('state');
    const state = STATES.find((each) => each === given);
    if (given !== undefined && state === undefined) {
      throw new UsageError(`--state must be one of ${STATES.join(', ')}, not "${given}"`);
    }
    const invitedBy = flags.get('invited-by');
    const filter = { state, isStaff: flags.has('staff'), invitedBy, limit: limitOf(flags) };
    const list = (ctx: OwnerContext) => listUsers(ctx, OWNER, filter);
    const users =
      invitedBy === undefined
        ? await withOwnerContext(surroundings, 'maintenance', list)
        : await onUser({ name: invitedBy }, surroundings, list);
    surroundings.print(listingText(LISTING, users, flags));
    return 0;
  },
};

const showCommand: Command = {
  kind: 'command',
  name: 'show',
  about: 'Show an account, and what somebody answered who waits for approval',
  parameters: [USER],
  flags: [{ ...JSON_FLAG, about: 'Print the account as JSON' }],
  async run({ args: [name = ''], flags }, surroundings) {
    const user = await onUser({ name }, surroundings, (ctx) => showUser(ctx, OWNER, name));
    const { lastUsedAtMs, answer, inviterName } = user;
    const fields = {
      ...fieldsOfUser(user),
      ...(inviterName !== undefined && { invited_by_name: inviterName }),
      ...(lastUsedAtMs !== undefined && { last_used_at: lastUsedAtMs }),
      ...(answer !== undefined && { answer }),
    };
    const shown = user.state === 'deleted' ? { ...fields, username: 'deleted' } : fields;
    const rows = Object.entries(shown).map(([key, value]) => [key, valueText(key, value)]);
    surroundings.print(resultText(alignColumns(rows).join('\n'), fields, flags));
    return 0;
  },
};

/** The owner's commands for accounts. */
export const USER_COMMANDS: Group = {
  kind: 'group',
  name: 'users',
  about: 'Manage accounts',
  commands: [listCommand, showCommand, CREATE_USER, RESET_PASSWORD, ...USER_CHANGES],
};

function valueText(key: string, value: unknown): string {
  if (typeof value === 'number' && key.endsWith('_at')) return formatTime(value);
  return inLine(Array.isArray(value) ? value.join(', ') : String(value));
}
