import { ACCESS_CODE_LENGTH, isAccessCode } from '@hearth/protocol';
import { newAccessCode, OWNER, setAccessCode, showAccessCode } from '@hearth/server';
import type { Command, Flag, Group, Invocation, Surroundings } from './command.ts';
import { JSON_FLAG, resultText } from './listing.ts';
import { withOwnerContext } from './owner-context.ts';
import { UsageError } from './owner-error.ts';

const CODE_AS_JSON: Flag = { ...JSON_FLAG, about: 'Print the code as JSON' };

const setCommand: Command = {
  kind: 'command',
  name: 'set',
  about: 'Let in only those who have a code',
  parameters: [
    { name: 'code', about: 'The code (default: a new one is made up)', isOptional: true },
  ],
  flags: [CODE_AS_JSON],
  details: () =>
    'Clients that are connected without the code are disconnected. Files can still be fetched by their addresses.',
  async run({ args: [given], flags }, surroundings) {
    const code = given ?? newAccessCode();
    if (!isAccessCode(code)) {
      const { min, max } = ACCESS_CODE_LENGTH;
      throw new UsageError(`the code must have ${min} to ${max} characters: ASCII without spaces`);
    }
    await withOwnerContext(surroundings, 'maintenance', (ctx) => setAccessCode(ctx, OWNER, code));
    return print(code, flags, surroundings);
  },
};

const offCommand: Command = {
  kind: 'command',
  name: 'off',
  about: 'Let in everyone again',
  parameters: [],
  flags: [CODE_AS_JSON],
  async run({ flags }, surroundings) {
    await withOwnerContext(surroundings, 'maintenance', (ctx) =>
      setAccessCode(ctx, OWNER, undefined),
    );
    return print(undefined, flags, surroundings);
  },
};

const showCommand: Command = {
  kind: 'command',
  name: 'show',
  about: 'Print the code',
  parameters: [],
  flags: [CODE_AS_JSON],
  async run({ flags }, surroundings) {
    const code = await withOwnerContext(surroundings, 'maintenance', (ctx) =>
      showAccessCode(ctx, OWNER),
    );
    return print(code, flags, surroundings);
  },
};

/** The owner's commands for the code that everyone needs. */
export const ACCESS_CODE_COMMANDS: Group = {
  kind: 'group',
  name: 'access-code',
  about: 'Manage the code that everyone needs',
  commands: [setCommand, offCommand, showCommand],
  details: () => `An invite link carries the code: <address of the web client>/#code=<code>
The terminal takes it from --access-code, such a link or HEARTH_ACCESS_CODE.`,
};

function print(
  code: string | undefined,
  flags: Invocation['flags'],
  surroundings: Surroundings,
): number {
  const text = code === undefined ? 'No access code is needed' : `The access code is ${code}`;
  surroundings.print(resultText(text, { access_code: code ?? null }, flags));
  return 0;
}
