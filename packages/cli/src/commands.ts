import { ATTACHMENT_COMMANDS } from './attachments.ts';
import type { Group } from './command.ts';
import { MESSAGE_COMMANDS } from './messages.ts';
import { START_COMMAND } from './start.ts';
import { STATIC_COMMANDS } from './statics.ts';

/** Everything that an owner can ask for. */
export const COMMANDS: Group = {
  kind: 'group',
  name: 'hearth',
  about: 'Runs and looks after a Hearth instance',
  commands: [START_COMMAND, STATIC_COMMANDS, ATTACHMENT_COMMANDS, MESSAGE_COMMANDS],
  details: () =>
    'In the folder of its source, hearth is: bun run hearth, or npx --yes bun@1.4.5 run hearth',
};
