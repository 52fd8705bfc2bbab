import {
  listRestrictions,
  OWNER,
  pause,
  PAUSABLE,
  resume,
  setSlowMode,
  type OwnerContext,
  type Pausable,
  type StoredRestrictions,
} from '@hearth/server';
import type { Command, Flag, Invocation, Parameter, Surroundings } from './command.ts';
import { JSON_FLAG, resultText } from './listing.ts';
import { withOwnerContext } from './owner-context.ts';
import { UsageError } from './owner-error.ts';
import { TERM_FLAGS, termOf, termText } from './term.ts';

/** The flag of every command that changes what is restricted. */
const ALL_AS_JSON: Flag = { ...JSON_FLAG, about: 'Print everything that is restricted, as JSON' };

const WHAT: Parameter = {
  name: PAUSABLE.join('|'),
  about: 'Only one of them (default: both)',
  isOptional: true,
};

/** The longest time between two messages, six hours. */
const MOST_SECONDS = 21_600;

const pauseCommand: Command = {
  kind: 'command',
  name: 'pause',
  about: 'Refuse new messages, uploads or both for a while',
  parameters: [WHAT],
  flags: [...TERM_FLAGS, ALL_AS_JSON],
  details: () => 'Everyone can still read. It takes effect at once, and survives restarts.',
  async run({ args, flags }, surroundings) {
    const [what, term] = [pausableOf(args[0]), termOf(flags)];
    return change(surroundings, flags, async (ctx) => {
      await pause(ctx, OWNER, { what, term });
      return `Paused ${what.join(' and ')}${termText(term)}`;
    });
  },
};

const resumeCommand: Command = {
  kind: 'command',
  name: 'resume',
  about: 'End what hearth pause began',
  parameters: [WHAT],
  flags: [ALL_AS_JSON],
  async run({ args, flags }, surroundings) {
    const what = pausableOf(args[0]);
    return change(surroundings, flags, async (ctx) => {
      await resume(ctx, OWNER, what);
      return `Resumed ${what.join(' and ')}`;
    });
  },
};

const slowModeCommand: Command = {
  kind: 'command',
  name: 'slow-mode',
  about: 'Let every client post one message in so many seconds',
  parameters: [
    { name: 'seconds|off', about: `Seconds between two messages, at most ${MOST_SECONDS}` },
  ],
  flags: [ALL_AS_JSON],
  async run({ args: [given = ''], flags }, surroundings) {
    const seconds = secondsOf(given);
    return change(surroundings, flags, async (ctx) => {
      await setSlowMode(ctx, OWNER, seconds);
      return seconds === 0 ? 'Slow mode is off' : `Every client may post once in ${seconds} s`;
    });
  },
};

/** The owner's commands that restrict everyone. */
export const RESTRICTION_COMMANDS: readonly Command[] = [
  pauseCommand,
  resumeCommand,
  slowModeCommand,
];

/** Changes what is restricted, and prints the line that `work` returns, or everything that is restricted now. */
async function change(
  surroundings: Surroundings,
  flags: Invocation['flags'],
  work: (ctx: OwnerContext) => Promise<string>,
): Promise<number> {
  await withOwnerContext(surroundings, 'maintenance', async (ctx) => {
    const line = await work(ctx);
    const fields = fieldsOf(await listRestrictions(ctx, OWNER));
    surroundings.print(resultText(line, fields, flags));
  });
  return 0;
}

function fieldsOf({ pauses, slowModeSeconds = 0, accessCode }: StoredRestrictions): object {
  return {
    paused: pauses,
    slow_mode_seconds: slowModeSeconds,
    needs_access_code: accessCode !== undefined,
  };
}

function pausableOf(given: string | undefined): readonly Pausable[] {
  if (given === undefined) return PAUSABLE;
  const what = PAUSABLE.filter((each) => each === given);
  if (what.length > 0) return what;
  throw new UsageError(`expected ${PAUSABLE.join(' or ')}, not "${given}"`);
}

function secondsOf(given: string): number {
  if (given === 'off') return 0;
  const seconds = /^\d{1,9}$/.test(given) ? Number(given) : 0;
  if (seconds >= 1 && seconds <= MOST_SECONDS) return seconds;
  throw new UsageError(`expected 1 to ${MOST_SECONDS} seconds, or off, not "${given}"`);
}
