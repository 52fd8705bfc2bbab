import { enAttachments } from './en/attachments.ts';
import { enComposer } from './en/composer.ts';
import { enConversation } from './en/conversation.ts';
import { laterConflicts } from './en/later-conflicts.ts';
import { enReading } from './en/reading.ts';
import { enShell } from './en/shell.ts';

/** All texts of the client, in English; the other languages have the same keys. */
export const en = {
  shell: enShell,
  composer: enComposer,
  conflicts: laterConflicts,
  conversation: enConversation,
  attachments: enAttachments,
  reading: enReading,
};
