import {
  ATTACHMENTS_BUCKET,
  ValidationError,
  type AttachedFile,
  type Id,
  type NewChannelMessage,
} from '@hearth/protocol';
import type { Account } from '../../../actor.ts';
import type { Context } from '../../../context.ts';
import type { Transaction } from '../../../ports/database/database.ts';
import { releasing, type Release } from '../../platform/contents/contents.ts';
import { requireIn, type ChannelAccess } from '../../communities/structure/structure.ts';
import { describeUpload, dropUpload, findUploads } from '../../files/uploads/uploads.ts';
import { deleteFiles } from './file-store.ts';
import { deleteMessages } from './store.ts';
import type { AttachedId, StoredMessage } from './stored-message.ts';
import { addUnlinking } from './unlinking.ts';

/** Files that somebody is about to attach to a message. */
export interface GivenFiles {
  readonly files: readonly AttachedId[];
  readonly known: ReadonlyMap<Id, AttachedFile>;
}

const NO_FILES: GivenFiles = { files: [], known: new Map() };

/** The files of a new message. Throws ForbiddenError, and ValidationError for files that the caller may not attach. */
export async function givenFiles(
  ctx: Context,
  actor: Account,
  { access, given = [] }: { access: ChannelAccess; given: NewChannelMessage['attachments'] },
): Promise<GivenFiles> {
  if (given.length === 0) return NO_FILES;
  requireIn(access, 'ATTACH_FILES', ctx.clock.unixMs());
  const ids = given.map(({ id }) => id);
  if (new Set(ids).size !== ids.length) {
    throw new ValidationError('attachments', 'must be given once each');
  }
  const known = await filesOf(ctx, actor, ids);
  return {
    files: given.map(({ id, alt }) => (alt === undefined ? { id } : { id, alt })),
    known,
  };
}

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

async function filesOf(
  ctx: Context,
  actor: Account,
  ids: readonly Id[],
): Promise<ReadonlyMap<Id, AttachedFile>> {
  const uploads = await findUploads(ctx, actor, { bucket: ATTACHMENTS_BUCKET, ids });
  const own = uploads.filter(({ userId }) => userId === actor.user_id);
  if (own.length < ids.length) throw notOwn();
  return new Map(own.map((upload) => [upload.id, describeUpload(upload)]));
}

/** Somebody attaches what they have not uploaded. */
export function notOwn(): ValidationError {
  return new ValidationError('attachments', 'must be files that you have uploaded');
}
