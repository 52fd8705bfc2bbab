import {
  ERASED_CONTENTS,
  isEmptyMask,
  permissionNames,
  readPermissions,
  STAFF_PERMISSIONS,
} from '@hearth/protocol';
import {
  approveUser,
  deleteUser,
  disableUser,
  enableUser,
  makeStaff,
  OWNER,
  showUser,
  type ManagedUser,
  type OwnerContext,
} from '@hearth/server';
import type { Command, Invocation } from './command.ts';
import { canAsk, confirm } from './confirm.ts';
import { JSON_FLAG, resultText } from './listing.ts';
import { OwnerError, UsageError } from './owner-error.ts';
import { inLine } from './text.ts';
import { onUser, USER } from './user-argument.ts';

const RESULT_FLAG = { ...JSON_FLAG, about: 'Print the name and id as JSON' };

const STAFF_NAMES = Object.keys(STAFF_PERMISSIONS);

const approveCommand = changing({
  name: 'approve',
  about: 'Approve an account that waits for it',
  work: approveUser,
  done: 'Approved',
});

const disableCommand = changing({
  name: 'disable',
  about: 'End the sessions of an account, and let nobody sign in to it',
  work: disableUser,
  done: 'Disabled',
});

const enableCommand = changing({
  name: 'enable',
  about: 'Let the person of a disabled account sign in again',
  work: enableUser,
  done: 'Enabled',
});

const staffCommand: Command = {
  kind: 'command',
  name: 'make-staff',
  about: 'Give an account permissions of the staff, or take them away',
  parameters: [USER],
  flags: [
    {
      name: 'permissions',
      value: 'names',
      about: 'Only these, separated by commas (default: all)',
    },
    { name: 'none', about: 'Take all of them away' },
    { ...JSON_FLAG, about: 'Print the name, id and permissions as JSON' },
  ],
  details: () => `Permissions: ${STAFF_NAMES.join(', ')}`,
  async run({ args: [name = ''], flags }, surroundings) {
    const permissions = permissionsOf(flags);
    const aim = { name, aim: 'made staff' };
    const user = await onUser(aim, surroundings, (ctx) =>
      makeStaff(ctx, OWNER, { user: name, permissions }),
    );
    const names = permissionNames(STAFF_PERMISSIONS, permissions);
    const line =
      names.length === 0
        ? `${user.username} is not staff${isEmptyMask(user.staff_permissions) ? '' : ' any more'}`
        : `${user.username} is staff: ${names.join(', ')}`;
    surroundings.print(resultText(line, { ...nameOf(user), staff_permissions: names }, flags));
    return 0;
  },
};

const deleteCommand: Command = {
  kind: 'command',
  name: 'delete',
  about: 'Delete an account',
  parameters: [USER],
  flags: [
    {
      name: 'content',
      value: 'keep|erase',
      about:
        'keep: what the person wrote stays, under the name "deleted"; erase: it is removed, with all files',
      isRequired: true,
    },
    { name: 'yes', letter: 'y', about: 'Do not ask' },
    RESULT_FLAG,
  ],
  details: () =>
    'The sessions end, and what the account says of the person is removed. The name becomes free after a year. This cannot be undone; hearth users disable can.',
  async run({ args: [name = ''], flags }, surroundings) {
    const given = flags.get('content') ?? '';
    const content = ERASED_CONTENTS.find((each) => each === given);
    if (content === undefined) {
      throw new UsageError(`--content must be keep or erase, not "${given}"`);
    }
    if (!flags.has('yes')) {
      const { username, id } = await onUser({ name }, surroundings, (ctx) =>
        showUser(ctx, OWNER, name),
      );
      if (!canAsk(surroundings)) {
        throw new OwnerError(`nothing was deleted: add --yes to delete ${inLine(username || id)}`);
      }
      if (!(await confirm(`Delete the account ${inLine(username || id)}?`, surroundings))) {
        surroundings.warn('Nothing was deleted\n');
        return 1;
      }
    }
    const user = await onUser({ name, aim: 'deleted' }, surroundings, (ctx) =>
      deleteUser(ctx, OWNER, { user: name, content }),
    );
    surroundings.print(resultText(`Deleted ${user.username}`, nameOf(user), flags));
    return 0;
  },
};

/** The owner's commands that change an account. */
export const USER_CHANGES: readonly Command[] = [
  approveCommand,
  disableCommand,
  enableCommand,
  staffCommand,
  deleteCommand,
];

function changing({
  work,
  done,
  ...names
}: {
  readonly name: string;
  readonly about: string;
  readonly work: (ctx: OwnerContext, actor: typeof OWNER, user: string) => Promise<ManagedUser>;
  readonly done: string;
}): Command {
  return {
    kind: 'command',
    ...names,
    parameters: [USER],
    flags: [RESULT_FLAG],
    async run({ args: [name = ''], flags }, surroundings) {
      const aim = { name, aim: done.toLowerCase() };
      const user = await onUser(aim, surroundings, (ctx) => work(ctx, OWNER, name));
      surroundings.print(resultText(`${done} ${user.username}`, nameOf(user), flags));
      return 0;
    },
  };
}

function nameOf({ id, username }: ManagedUser): object {
  return { id, username };
}

function permissionsOf(flags: Invocation['flags']) {
  const given = flags.get('permissions');
  if (flags.has('none')) {
    if (given !== undefined) throw new UsageError('--none cannot be combined with --permissions');
    return readPermissions(STAFF_PERMISSIONS, []);
  }
  const names = given?.split(',').map((name) => name.trim().toUpperCase()) ?? STAFF_NAMES;
  const unknown = names.find((name) => !STAFF_NAMES.includes(name));
  if (unknown !== undefined) {
    throw new UsageError(`--permissions: expected ${STAFF_NAMES.join(', ')}, got "${unknown}"`);
  }
  return readPermissions(STAFF_PERMISSIONS, names);
}
