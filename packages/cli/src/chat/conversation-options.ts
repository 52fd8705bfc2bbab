import type { Client } from '@hearth/sdk';
import type { ConnectionNotices } from './connection-notices.ts';
import type { Face } from './face.ts';
import { placeName } from './find-channel.ts';
import type { MessageSource } from './message-source.ts';
import type { UploadFileOptions } from './upload-file.ts';

/** The state of the connection, in the prompt. */
const PROMPT_NOTES = { new: ' (connecting)', well: '', away: ' (offline)' } as const;

/** The parts of a conversation. */
export interface ConversationOptions extends Pick<UploadFileOptions, 'openFile'> {
  readonly client: Client;
  readonly source: MessageSource;
  readonly face: Face;
  readonly author: string;
  /** Returns who else writes here, for the prompt. */
  readonly writers?: () => string;
  /** Returns what is unread elsewhere, for the prompt. */
  readonly elsewhere?: () => string;
}

/** The prompt of a conversation, without its end: who writes, where, and what is unread elsewhere. */
export function promptOf(
  { client, source, writers, elsewhere }: ConversationOptions,
  { author, state }: { readonly author: string; readonly state: ConnectionNotices['state'] },
): string {
  const { online = 0 } = client;
  const { place, isReadOnly } = source;
  const where = place === undefined ? '' : ` ${placeName(place)}`;
  // This counts people on the instance, not in the channel.
  const others = place === undefined && online > 1 ? ` (${online} here)` : '';
  const mode = isReadOnly ? ' (read only)' : '';
  const notes = `${PROMPT_NOTES[state]}${mode}${others}${writers?.() ?? ''}`;
  return `${author}${where}${notes}${elsewhere?.() ?? ''}`;
}
