import type { Id } from '@hearth/protocol';
import { OWNER } from '../../../server/src/actor.ts';
import { findMessages } from '../../../server/src/features/talk/lobby/find-messages.ts';
import { removeMessage } from '../../../server/src/features/talk/lobby/remove-message.ts';
import { removeMessages } from '../../../server/src/features/talk/lobby/remove-messages.ts';
import { asOwner, type DataPlace } from './as-owner.ts';
import type { SharedEnvironment } from './cluster.ts';

/** Removes a message like an owner's command, from an instance in a folder or on servers. */
export async function removeAsOwner(place: DataPlace, id: Id | undefined): Promise<void> {
  if (id === undefined) throw new Error('there is nothing to remove');
  await asOwner(place, (owner) => removeMessage(owner, OWNER, id));
}

/** Removes the written messages of an author like an owner's command, from an instance on servers. */
export async function removeByAuthor(servers: SharedEnvironment, author: string): Promise<void> {
  await asOwner({ servers }, async (owner) => {
    const found = await findMessages(owner, OWNER, { author });
    await removeMessages(
      owner,
      OWNER,
      found.map(({ id }) => id),
    );
  });
}
