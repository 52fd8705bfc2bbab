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
export async function listAround<Message>(
  history: { list(query: SideQuery): Promise<readonly Message[]> },
  { around, limit }: { readonly around: Id; readonly limit: number },
): Promise<readonly Message[]> {
  const [newer, older] = await Promise.all([
    history.list({ after: around, limit }),
    history.list({ before: idAfter(around), limit }),
  ]);
  const newerCount = Math.max(Math.floor(limit / 2), limit - older.length);
  const closest = newer.slice(Math.max(0, newer.length - newerCount));
  return [...closest, ...older.slice(0, limit - closest.length)];
}
