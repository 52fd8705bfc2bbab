import { countCodePoints } from '@hearth/sdk';
import { formatId, ID_EPOCH_SECONDS } from '@hearth/protocol';

/** The typed text as it is sent: without blank ends and without halves of characters, which no server accepts. */
export function trimmedText(typed: string): string {
  return typed
    .toWellFormed()
    .replace(/^\s*\n/, '')
    .trimEnd();
}

/** A message's content: the text, then the files' addresses, each on a line of its own. */
export function contentOf(text: string, fileUrls: readonly string[]): string {
  return [...(text === '' ? [] : [text]), ...fileUrls].join('\n');
}

/** The length of the content in code points, with `files` files whose identifiers are not known yet. */
export function contentLength(text: string, files: number, urlOf: (id: string) => string): number {
  const url = urlOf(longestIdOfNow());
  return countCodePoints(
    contentOf(
      trimmedText(text),
      Array.from({ length: files }, () => url),
    ),
  );
}

function longestIdOfNow(): string {
  const seconds = Math.floor(Date.now() / 1000) - ID_EPOCH_SECONDS;
  return formatId({ seconds, instanceId: 2 ** 48 - 1, sequence: 65_535 });
}
