import { NotFoundError } from '@hearth/protocol';
import type { Actor } from '../../../actor.ts';
import type { Context } from '../../../context.ts';
import { selectArchive } from './store.ts';

/** The archive under a key, which is the only thing that is needed to fetch it. Throws NotFoundError. */
export async function findArchive(
  { database, clock }: Context,
  _actor: Actor,
  { key }: { readonly key: string },
) {
  const archive = await selectArchive(database.reader, key, clock.unixMs());
  if (archive === undefined) throw new NotFoundError();
  const { user_id: userId, username, requested_at_ms: atMs, ...content } = archive;
  const day = new Date(atMs).toISOString().slice(0, 10);
  return { ...content, goesWith: [userId], name: `hearth-${username}-${day}.zip` };
}
