/** A message's text without the files that it shares. */
export interface SplitMessage {
  readonly text: string;
  /** In their order, each once. */
  readonly ids: readonly string[];
}

/** Further files of a message stay links. */
export const MOST_FILES = 20;

/**
 * Removes from a message the lines that consist of the address of a file, as recognised by `idOf`. Lines of code blocks
 * stay.
 */
export function splitAttachments(
  content: string,
  idOf: (url: string) => string | undefined,
): SplitMessage {
  if (!content.includes('://')) return { text: content, ids: [] };
  const ids = new Set<string>();
  const kept: string[] = [];
  let fence: string | undefined;
  for (const line of content.split('\n')) {
    const mark = /^ {0,3}(`{3,}|~{3,})/.exec(line)?.[1];
    if (fence === undefined) fence = mark;
    else if (mark?.startsWith(fence) === true) fence = undefined;
    const id = fence === undefined && ids.size < MOST_FILES ? fileOf(line, idOf) : undefined;
    if (id === undefined) kept.push(line);
    else ids.add(id);
  }
  return ids.size === 0
    ? { text: content, ids: [] }
    : { text: kept.join('\n').trim(), ids: [...ids] };
}

function fileOf(line: string, idOf: (url: string) => string | undefined): string | undefined {
  const url = line.trim();
  return /^https?:\/\/\S+$/.test(url) ? idOf(url) : undefined;
}
