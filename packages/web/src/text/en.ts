import { enAttachments } from './en/attachments.ts';
import { enComposer } from './en/composer.ts';
import { enLobby } from './en/conversation.ts';
import { enShell } from './en/shell.ts';

/** All texts of the client, in English; the other languages have the same keys. */
export const en = {
  shell: enShell,
  composer: enComposer,
  lobby: enLobby,
  attachments: enAttachments,
};
