import { ConflictError, readPermissions, STAFF_PERMISSIONS } from '@hearth/protocol';
import {
  createUser,
  OWNER,
  resetUserPassword,
  type ManagedUser,
  type PasswordOfUser,
} from '@hearth/server';
import { warnings, type Command } from './command.ts';
import { JSON_FLAG, resultText } from './listing.ts';
import { withOwnerContext } from './owner-context.ts';
import { blamingOwner, conflictText, OwnerError } from './owner-error.ts';
import { inLine } from './text.ts';
import { onUser, USER } from './user-argument.ts';

const RESULT_FLAG = { ...JSON_FLAG, about: 'Print the name, id and password as JSON' };

/** `hearth users create`. */
export const CREATE_USER: Command = {
  kind: 'command',
  name: 'create',
  about: 'Create an account with a new random password',
  parameters: [{ name: 'username', about: 'Letters from a to z, digits, _ . and -' }],
  flags: [
    { name: 'email', value: 'address', about: 'Its address for mail (default: none)' },
    { name: 'display-name', value: 'name', about: 'How the person likes to be called' },
    { name: 'owner', about: 'Give it all permissions of the staff' },
    RESULT_FLAG,
  ],
  details: () =>
    'The password is printed once. Give it to the person, who can change it in the settings. It makes no difference who may register.',
  async run({ args: [username = ''], flags }, surroundings) {
    const names = flags.has('owner') ? Object.keys(STAFF_PERMISSIONS) : [];
    const [email, displayName] = [flags.get('email'), flags.get('display-name')];
    const request = {
      ...(await checked({ username, email, display_name: displayName })),
      staff_permissions: readPermissions(STAFF_PERMISSIONS, names),
    };
    const made = await blamingOwner(
      withOwnerContext(surroundings, 'maintenance', (ctx) => createUser(ctx, OWNER, request)),
      ConflictError,
      conflictText,
    );
    surroundings.print(resultText(passwordText('Created', made), fieldsOf(made), flags));
    return 0;
  },
};

/** `hearth users reset-password`. */
export const RESET_PASSWORD: Command = {
  kind: 'command',
  name: 'reset-password',
  about: 'Give an account a new random password, and end its sessions',
  parameters: [USER],
  flags: [
    {
      name: 'remove-second-factor',
      about: 'Also remove the second factor, for somebody who has lost it',
    },
    RESULT_FLAG,
  ],
  details: () =>
    'The password is printed once. Give it only to the person whose account it is: make sure that you know who is asking.',
  async run({ args: [name = ''], flags }, surroundings) {
    const removesFactor = flags.has('remove-second-factor');
    const aim = { name, aim: 'given a new password' };
    const made = await onUser(aim, surroundings, (ctx) =>
      resetUserPassword(ctx, OWNER, { user: name, removesFactor }),
    );
    surroundings.print(resultText(passwordText('New password of', made), fieldsOf(made), flags));
    const still = STILL_OUT[made.user.state];
    if (still !== undefined) warnings(surroundings.warn)(still(made.user.username));
    return 0;
  },
};

/** Why somebody cannot sign in, even with the new password. */
const STILL_OUT: Partial<Record<ManagedUser['state'], (username: string) => string>> = {
  disabled: (username) =>
    `${username} is disabled: nobody can sign in before "hearth users enable ${username}"`,
  pending: (username) =>
    `${username} waits for approval: nobody can sign in before "hearth users approve ${username}"`,
};

async function checked(given: {
  readonly username: string;
  readonly email: string | undefined;
  readonly display_name: string | undefined;
}) {
  // The schemas take as long to load as the rest of the command line.
  const { registrationSchema } = await import('@hearth/protocol/schemas');
  const result = registrationSchema
    .pick({ username: true, display_name: true })
    .extend({ email: registrationSchema.shape.email.optional() })
    .safeParse(given);
  if (result.success) {
    const { username, email = '', display_name = '' } = result.data;
    return { username, email, display_name };
  }
  const [issue] = result.error.issues;
  const field = String(issue?.path[0] ?? '').replace('_', '-');
  throw new OwnerError(`the ${field} ${inLine(issue?.message ?? 'is not valid')}`);
}

function passwordText(what: string, { user, password }: PasswordOfUser): string {
  return `${what} ${user.username}: ${password}`;
}

function fieldsOf({ user: { id, username }, password }: PasswordOfUser): object {
  return { id, username, password };
}
