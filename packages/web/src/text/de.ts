import type { Catalogue } from './catalogue.ts';
import { deAttachments } from './de/attachments.ts';
import { deConflicts } from './de/conflicts.ts';
import { deComposer } from './de/composer.ts';
import { deConversation } from './de/conversation.ts';
import { deReading } from './de/reading.ts';
import { deShell } from './de/shell.ts';

/** All texts of the client, in German. */
export const de: Catalogue = {
  shell: deShell,
  composer: deComposer,
  conflicts: { value: deConflicts },
  conversation: deConversation,
  attachments: deAttachments,
  reading: deReading,
};
