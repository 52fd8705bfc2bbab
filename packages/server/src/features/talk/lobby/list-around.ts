import { idAfter, type Id } from '@hearth/protocol';

/** Which messages are requested: those right after `after`, or the newest before `before`. */
interface SideQuery {
  readonly after?: Id;
  readonly before?: Id | undefined;
  readonly limit: number;
}

/**
 * The messages closest to a place, the newest first. Half of them are newer, unless one side has too few. A message with
 * this very id counts as an older one.
 */
export async function listAround<Message extends { readonly id: Id }>(
  history: { list(query: SideQuery): Promise<readonly Message[]> },
  { around, limit }: { readonly around: Id; readonly limit: number },
): Promise<readonly Message[]> {
  const half = Math.floor(limit / 2);
  const [newer, older] = await Promise.all([
    half === 0 ? [] : history.list({ after: around, limit: half }),
    history.list({ before: idAfter(around), limit: limit - half }),
  ]);
  const missing = limit - newer.length - older.length;
  if (missing === 0 || (newer.length < half && older.length < limit - half)) {
    return [...newer, ...older];
  }
  // One side has too few, so the other one has more.
  if (newer.length < half) {
    const before = older.at(-1)?.id;
    return [...newer, ...older, ...(await history.list({ before, limit: missing }))];
  }
  const after = newer[0]?.id ?? around;
  return [...(await history.list({ after, limit: missing })), ...newer, ...older];
}
