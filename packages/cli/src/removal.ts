import { NotFoundError, type Id, type LobbyMessage } from '@hearth/protocol';
import {
  findMessage,
  findMessageFiles,
  findMessages,
  OWNER,
  removeMessage,
  removeMessages,
  removeUpload,
  type MessageFilter,
  type OwnerContext,
  type ListedUpload,
} from '@hearth/server';
import { counted, formatTime, inLine } from './text.ts';

/** Which messages a command removes, and whether it removes their files. */
export interface Removal {
  readonly which: MessageFilter | { readonly id: Id };
  readonly withFiles: boolean;
}

/** Messages, and the files that only they name. */
export interface MessagesAndFiles {
  readonly messages: readonly LobbyMessage[];
  readonly files: readonly ListedUpload[];
}

/** The number of times that messages posted meanwhile are looked for. */
const MOST_ROUNDS = 10;

/** Finds what the command would remove. Throws NotFoundError. */
export async function findRemoval(ctx: OwnerContext, removal: Removal): Promise<MessagesAndFiles> {
  const { which } = removal;
  const messages =
    'id' in which
      ? [await findMessage(ctx, OWNER, which.id)]
      : await findMessages(ctx, OWNER, which);
  const files = removal.withFiles ? await findMessageFiles(ctx, OWNER, messages) : [];
  return { messages, files };
}

/** Removes the messages and files, and those that match and are posted meanwhile. Returns them. Throws NotFoundError. */
export async function carryOut(ctx: OwnerContext, removal: Removal): Promise<MessagesAndFiles> {
  const { which } = removal;
  const first = await findRemoval(ctx, removal);
  if ('id' in which) {
    await removeFiles(ctx, first.files);
    await removeMessage(ctx, OWNER, which.id);
    return first;
  }
  const messages: LobbyMessage[] = [];
  const files: ListedUpload[] = [];
  let found = first;
  for (let round = 0; found.messages.length > 0 && round < MOST_ROUNDS; round += 1) {
    // The files first: if the command is interrupted, the messages that name them are still found.
    files.push(...(await removeFiles(ctx, found.files)));
    const ids = await removeMessages(ctx, OWNER, found.messages.map(idOf));
    const removed = new Set(ids);
    messages.push(...found.messages.filter(({ id }) => removed.has(id)));
    found = await findRemoval(ctx, removal);
  }
  return { messages, files };
}

/** Returns what is removed, in words: `37 messages and 1 file`. `which` says which messages: ` by ada`. */
export function amountText({ messages, files }: MessagesAndFiles, which = ''): string {
  const messagesText = counted(messages.length, 'message') + which;
  return files.length === 0 ? messagesText : `${messagesText} and ${counted(files.length, 'file')}`;
}

/** Which messages are removed by author or time, in words: ` by ada since 2026-01-31 08:05:00 UTC`. */
export function filterText({ which }: Removal): string {
  if ('id' in which) return '';
  const { author, sinceMs } = which;
  const by = author === undefined ? '' : ` by ${inLine(author)}`;
  return sinceMs === undefined ? by : `${by} since ${formatTime(sinceMs)}`;
}

async function removeFiles(
  ctx: OwnerContext,
  files: readonly ListedUpload[],
): Promise<readonly ListedUpload[]> {
  const removed: ListedUpload[] = [];
  for (const file of files) {
    try {
      await removeUpload(ctx, OWNER, file.id);
      removed.push(file);
    } catch (error) {
      // Another command was faster.
      if (!(error instanceof NotFoundError)) throw error;
    }
  }
  return removed;
}

function idOf({ id }: LobbyMessage): Id {
  return id;
}
