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
  const day = new Date(archive.requestedAtMs).toISOString().slice(0, 10);
  const { userId, ...content } = archive;
  return { ...content, goesWith: [userId], name: `hearth-${archive.username}-${day}.zip` };
}
