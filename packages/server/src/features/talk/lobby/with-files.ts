import type { LobbyMessage } from '@hearth/protocol';
import type { KeepsNamedFiles } from '../../files/uploads/uploads.ts';

/** Messages with the files that they name. */
export async function withFiles(
  { namedFiles }: KeepsNamedFiles,
  messages: readonly LobbyMessage[],
): Promise<readonly LobbyMessage[]> {
  const files = await namedFiles.in(messages.map(({ content }) => content));
  return messages.map((message, index) => {
    const attachments = files[index] ?? [];
    return attachments.length === 0 ? message : { ...message, attachments: [...attachments] };
  });
}
