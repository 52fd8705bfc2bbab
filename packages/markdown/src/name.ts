/** Matches a character after which no name begins. */
const BEFORE_NAME = /[\p{L}\p{N}@#/]/u;
const IN_NAME = /[\p{L}\p{N}_.-]/u;

/** The end of the name after the sign at `start`, without its last underscores if they may end emphasis that began before it. */
export function endOfName(text: string, start: number, hasUnderscore: boolean): number {
  let end = start + 1;
  if (BEFORE_NAME.test(text[start - 1] ?? '')) return end;
  while (IN_NAME.test(text[end] ?? '')) end += 1;
  if (hasUnderscore) while (text[end - 1] === '_') end -= 1;
  return end;
}
