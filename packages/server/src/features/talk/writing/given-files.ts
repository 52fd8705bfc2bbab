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
import type { PlaceAccess } from '../places/places.ts';
import { describeUpload, findUploads } from '../../files/uploads/uploads.ts';

/** A file of a message or post. */
export interface AttachedId {
  readonly id: Id;
  readonly alt?: string;
}

/** Files that somebody is about to attach to a message or post. */
export interface GivenFiles {
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
export function notOwn(): ValidationError {
  return new ValidationError('attachments', 'must be files that you have uploaded');
}
