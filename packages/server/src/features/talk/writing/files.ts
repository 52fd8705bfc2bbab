import {
  ATTACHMENTS_BUCKET,
  ValidationError,
  type AttachedFile,
  type Id,
  type NewChannelMessage,
} from '@hearth/protocol';
import type { Account } from '../../../actor.ts';
import type { Context } from '../../../context.ts';
import { requireIn } from '../../communities/structure/structure.ts';
import { describeUpload, findUploads, holdUploads } from '../../files/uploads/uploads.ts';
import type { PlaceAccess } from '../places/places.ts';
import type { AttachedId, Checking, Placed } from './entry.ts';

/** Files that somebody is about to attach to a message or post. */
interface GivenFiles {
  readonly files: readonly AttachedId[];
  readonly known: ReadonlyMap<Id, AttachedFile>;
}

const NO_FILES: GivenFiles = { files: [], known: new Map() };

/** The files of a new message or post. Throws ForbiddenError, and ValidationError for files that the caller may not attach. */
export async function givenFiles(
  ctx: Context,
  actor: Account,
  {
    access,
    given = [],
  }: {
    access: Pick<PlaceAccess, 'permissions' | 'timedOutUntilMs'>;
    given: NewChannelMessage['attachments'];
  },
): Promise<GivenFiles> {
  if (given.length === 0) return NO_FILES;
  requireIn(access, 'ATTACH_FILES', ctx.clock.unixMs());
  const ids = given.map(({ id }) => id);
  if (new Set(ids).size !== ids.length) {
    throw new ValidationError('attachments', 'must be given once each');
  }
  const uploads = await findUploads(ctx, actor, { bucket: ATTACHMENTS_BUCKET, ids });
  const own = uploads.filter(({ userId }) => userId === actor.user_id);
  if (own.length < ids.length) throw notOwn();
  return {
    files: given.map(({ id, alt }) => (alt === undefined ? { id } : { id, alt })),
    known: new Map(own.map((upload) => [upload.id, describeUpload(upload)])),
  };
}

/** Somebody attaches what they have not uploaded. */
function notOwn(): ValidationError {
  return new ValidationError('attachments', 'must be files that you have uploaded');
}

/** Holds the files of entries. Refuses those with files that are not their authors', or belong to something else. */
export const holdFiles: Checking<Placed> = async (tx, placed) => {
  const wanted = placed.flatMap(({ draft: { author, files } }) =>
    files.map(({ id }) => ({ id, userId: author.id })),
  );
  if (wanted.length === 0) return undefined;
  const { held, attached } = await holdUploads(tx, wanted);
  const taken = new Set(attached);
  return {
    refusalOf({ draft: { files } }) {
      if (!files.every(({ id }) => held.has(id))) return { error: notOwn() };
      return files.some(({ id }) => taken.has(id)) ? { error: notFree() } : undefined;
    },
    accept({ draft: { files } }) {
      for (const { id } of files) taken.add(id);
    },
  };
};

function notFree(): ValidationError {
  return new ValidationError('attachments', 'must not belong to another message or post');
}
