import { ATTACHMENTS_BUCKET, type AttachedFile, type Id } from '@hearth/protocol';
import type { Context } from '../../../context.ts';
import type { Transaction } from '../../../ports/database/database.ts';
import { releasing, type Release } from '../../platform/contents/contents.ts';
import { describeUpload, dropUpload, findUploads } from '../../files/uploads/uploads.ts';
import { deleteFiles } from './file-store.ts';
import { deleteMessages } from './store.ts';
import type { StoredMessage } from './stored-message.ts';
import { addUnlinking } from './unlinking.ts';

/** The data of files, by their ids; those that were removed are left out. */
export async function filesIn(
  ctx: Context,
  messages: readonly Pick<StoredMessage, 'files'>[],
): Promise<ReadonlyMap<Id, AttachedFile>> {
  const withFiles = messages.filter(({ files }) => files.length > 0);
  if (withFiles.length === 0) return new Map();
  const ids = withFiles.flatMap(({ files }) => files.map(({ id }) => id));
  const uploads = await findUploads(ctx, { kind: 'owner' }, { bucket: ATTACHMENTS_BUCKET, ids });
  const served = uploads.filter(({ isErased }) => !isErased);
  return new Map(served.map((upload) => [upload.id, describeUpload(upload)]));
}

/** Runs `work`, which removes messages with the function that it receives. The contents of their files are removed afterwards. */
export function removingMessages<Result>(
  ctx: Context,
  work: (remove: RemoveMessages) => Promise<Result>,
): Promise<Result> {
  return releasing(ctx, (release) =>
    work(async (tx, messages) => {
      await removeMessages(tx, messages, release);
      const nowMs = ctx.clock.unixMs();
      for (const { postId, isCard } of messages) {
        if (postId !== '' && !isCard) await addUnlinking(tx, { postId, nowMs });
      }
    }),
  );
}

/** Removes messages of one channel, which are locked, and everything that belongs to them. */
export type RemoveMessages = (tx: Transaction, messages: readonly StoredMessage[]) => Promise<void>;

async function removeMessages(
  tx: Transaction,
  messages: readonly StoredMessage[],
  release: Release,
): Promise<void> {
  const [first] = messages;
  if (first === undefined) return;
  const ids = messages.map(({ id }) => id);
  const files = messages.flatMap((message) => message.files.map(({ id }) => id));
  await deleteFiles(tx.sql, files);
  for (const id of files) await dropUpload(tx, id, release);
  await deleteMessages(tx.sql, first.channelId, ids);
}
