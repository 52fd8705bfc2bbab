import type { Id } from '@hearth/protocol';
import { OWNER } from '../../../server/src/actor.ts';
import { removeMessage } from '../../../server/src/features/lobby/remove-message.ts';
import { tempFolder } from '../temp-folder.ts';
import type { SharedEnvironment } from './cluster.ts';
import { openTestContext } from './test-context.ts';

/** Removes a message like an owner's command, from an instance in a folder or on servers. */
export async function removeAsOwner(
  place: { readonly folder: string } | { readonly servers: SharedEnvironment },
  id: Id | undefined,
): Promise<void> {
  if (id === undefined) throw new Error('there is nothing to remove');
  await using elsewhere = await tempFolder();
  const [folder, env] = 'folder' in place ? [place.folder, {}] : [elsewhere.path, place.servers];
  // Close it immediately, because a start waits for it.
  await using owner = await openTestContext({ folder }, env);
  await removeMessage(owner, OWNER, id);
}
