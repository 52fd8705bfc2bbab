import type { Catalogue } from './catalogue.ts';
import { deAttachments } from './de/attachments.ts';
import { deComposer } from './de/composer.ts';
import { deConversation } from './de/conversation.ts';
import { deReading } from './de/reading.ts';
import { deShell } from './de/shell.ts';

/** All texts of the client, in German. */
export const de: Catalogue = {
  shell: deShell,
  composer: deComposer,
  conversation: deConversation,
  attachments: deAttachments,
  reading: deReading,
};
