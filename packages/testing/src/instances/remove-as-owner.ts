import type { Id } from '@hearth/protocol';
import { OWNER } from '../../../server/src/actor.ts';
import { findMessages } from '../../../server/src/features/lobby/find-messages.ts';
import { removeMessage } from '../../../server/src/features/lobby/remove-message.ts';
import { removeMessages } from '../../../server/src/features/lobby/remove-messages.ts';
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

/** Removes the written messages of an author like an owner's command, from an instance on servers. */
export async function removeByAuthor(servers: SharedEnvironment, author: string): Promise<void> {
  await using elsewhere = await tempFolder();
  await using owner = await openTestContext({ folder: elsewhere.path }, servers);
  const found = await findMessages(owner, OWNER, { author });
  await removeMessages(
    owner,
    OWNER,
    found.map(({ id }) => id),
  );
}
