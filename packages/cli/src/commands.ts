import { ACCESS_CODE_COMMANDS } from './access-code.ts';
import { ATTACHMENT_COMMANDS } from './attachments.ts';
import { BAN_COMMANDS } from './bans.ts';
import { CLIENT_COMMANDS } from './client-commands.ts';
import type { Group } from './command.ts';
import { INVITE_COMMANDS } from './invites.ts';
import { JOB_COMMANDS } from './jobs.ts';
import { KEY_COMMANDS } from './keys.ts';
import { MESSAGE_COMMANDS } from './messages.ts';
import { MIGRATE_COMMAND } from './migrate.ts';
import { REBUILD_COMMANDS } from './rebuild.ts';
import { REGISTRATION_COMMANDS } from './registration.ts';
import { RESTRICTION_COMMANDS } from './restrictions.ts';
import { SESSION_COMMANDS } from './sessions.ts';
import { START_COMMAND } from './start.ts';
import { STORAGE_COMMAND } from './storage.ts';
import { STATIC_COMMANDS } from './statics.ts';
import { USER_COMMANDS } from './users.ts';

/** All commands. */
export const COMMANDS: Group = {
  kind: 'group',
  name: 'hearth',
  about: 'Run and manage a Hearth instance, or chat on one',
  commands: [
    START_COMMAND,
    STATIC_COMMANDS,
    ATTACHMENT_COMMANDS,
    STORAGE_COMMAND,
    MESSAGE_COMMANDS,
    ...RESTRICTION_COMMANDS,
    ...BAN_COMMANDS,
    ACCESS_CODE_COMMANDS,
    USER_COMMANDS,
    SESSION_COMMANDS,
    INVITE_COMMANDS,
    REGISTRATION_COMMANDS,
    MIGRATE_COMMAND,
    REBUILD_COMMANDS,
    JOB_COMMANDS,
    KEY_COMMANDS,
    ...CLIENT_COMMANDS,
  ],
  details: () =>
    'In the source folder, run it as: bun run hearth, or npx --yes bun@1.4.5 run hearth',
};
