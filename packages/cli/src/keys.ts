import { endEverySession, OWNER, rotateKeys } from '@hearth/server';
import type { Command, Group } from './command.ts';
import { JSON_FLAG, resultText } from './listing.ts';
import { withOwnerContext } from './owner-context.ts';

/** The time for which tokens of the old key are accepted: clients renew their tokens whenever they are used. */
const OVERLAP_MS = 30 * 86_400_000;

const NOW_FLAG = {
  name: 'now',
  about:
    'Refuse the tokens of the old key at once, and end all sessions: everyone has to sign in again',
};

const rotateCommand: Command = {
  kind: 'command',
  name: 'rotate',
  about: 'Make a new key for the tokens of accounts; those of the old one are accepted for 30 days',
  parameters: [],
  flags: [NOW_FLAG, { ...JSON_FLAG, about: 'Print the name of the new key as JSON' }],
  details: () =>
    'Running processes use the new key at once. With TOKEN_KEY_FILE, the file is replaced, or made if there is none:' +
    ' copy it to all machines of the instance.',
  async run({ flags }, surroundings) {
    const isNow = flags.has(NOW_FLAG.name);
    await withOwnerContext(surroundings, 'maintenance', async (ctx) => {
      const { keys } = await rotateKeys(ctx, OWNER, { overlapMs: isNow ? 0 : OVERLAP_MS });
      const [{ kid } = { kid: '' }] = keys;
      const signed = `Tokens are signed with the new key ${kid}.`;
      if (isNow) {
        const count = await endEverySession(ctx, OWNER);
        const ended = `${count === 1 ? '1 session has' : `${count} sessions have`} ended.`;
        const fields = { key: kid, ended_sessions: count };
        surroundings.print(resultText(`${signed} ${ended}`, fields, flags));
        return;
      }
      const text = `${signed} Those of the old one are accepted for 30 days.`;
      surroundings.print(resultText(text, { key: kid }, flags));
    });
    return 0;
  },
};

/** The owner's commands for the keys that sign the tokens of accounts. */
export const KEY_COMMANDS: Group = {
  kind: 'group',
  name: 'keys',
  about: 'Manage the keys that sign the tokens of accounts',
  commands: [rotateCommand],
};
