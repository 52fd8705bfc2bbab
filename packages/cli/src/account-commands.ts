import type { Command, Flag } from './command.ts';
import { canAsk } from './confirm.ts';
import { CODE_FLAG, URL_PARAMETER } from './instance-parameters.ts';
import { UsageError } from './owner-error.ts';

// See client-commands.ts: the code of the commands is a separate bundle.
const loadClient = () => import('./chat/client.ts');

const USER_FLAG: Flag = {
  name: 'user',
  value: 'name',
  about: 'Username or email address (default: HEARTH_USER, or ask on a terminal)',
};

const JSON_FLAG: Flag = { name: 'json', about: 'Print one JSON object per line' };

const loginCommand: Command = {
  kind: 'command',
  name: 'login',
  about: 'Sign in to an instance',
  parameters: [URL_PARAMETER],
  flags: [USER_FLAG, JSON_FLAG, CODE_FLAG],
  details: () => LOGIN_DETAILS,
  async run({ args: [url = ''], flags }, surroundings) {
    const user = flags.get(USER_FLAG.name) ?? (surroundings.env['HEARTH_USER'] || undefined);
    if (user === undefined && !canAsk(surroundings)) throw new UsageError('missing --user <name>');
    const { login } = await loadClient();
    const accessCode = flags.get(CODE_FLAG.name);
    return login({ url, accessCode, user, asJson: flags.has(JSON_FLAG.name) }, surroundings);
  },
};

const logoutCommand: Command = {
  kind: 'command',
  name: 'logout',
  about: 'Sign out of an instance',
  parameters: [URL_PARAMETER],
  flags: [CODE_FLAG],
  async run({ args: [url = ''], flags }, surroundings) {
    const { logout } = await loadClient();
    return logout({ url, accessCode: flags.get(CODE_FLAG.name) }, surroundings);
  },
};

const whoamiCommand: Command = {
  kind: 'command',
  name: 'whoami',
  about: 'Print who is signed in to an instance, or all instances where you are signed in',
  parameters: [{ ...URL_PARAMETER, isOptional: true }],
  flags: [JSON_FLAG, CODE_FLAG],
  async run({ args: [url], flags }, surroundings) {
    const { listLogins, whoami } = await loadClient();
    const asJson = flags.has(JSON_FLAG.name);
    if (url === undefined) return listLogins({ asJson }, surroundings);
    return whoami({ url, accessCode: flags.get(CODE_FLAG.name), asJson }, surroundings);
  },
};

/** Commands for people with an account on an instance. */
export const ACCOUNT_COMMANDS: readonly Command[] = [loginCommand, logoutCommand, whoamiCommand];

const LOGIN_DETAILS = `On a terminal, it asks for what is missing, and the password is not shown. A script sets HEARTH_USER and
HEARTH_PASSWORD, and HEARTH_CODE if the account has a second factor. Without HEARTH_PASSWORD, the first line of standard
input is the password, and the second one the code:
  hearth login <instance url> --user ada < password-file

The session is stored in $XDG_CONFIG_HOME/hearth or ~/.config/hearth, in a file that only you can read. From then on, chat,
send, tail, search and upload use your account at this address, unless they have --as-guest or --name.`;
