import { ValidationError, type Id } from '@hearth/protocol';
import type { EmittingTransaction } from '../../../ports/outbox/outbox.ts';
import { holdUploads } from '../../files/uploads/uploads.ts';
import type { Check } from './accept-in-order.ts';
import { notOwn } from './files.ts';
import type { AttachedId } from './stored-message.ts';

/** A message or a post with the files that are attached to it. */
interface Attaching {
  readonly draft: {
    readonly author: { readonly id: Id };
    readonly files: readonly AttachedId[];
  };
}

/** Holds the files of messages or posts. Refuses those with files that are not their authors', or belong to something else. */
export async function holdFiles(
  tx: EmittingTransaction,
  entries: readonly Attaching[],
): Promise<Check<Attaching>> {
  const wanted = entries.flatMap(({ draft: { author, files } }) =>
    files.map(({ id }) => ({ id, userId: author.id })),
  );
  if (wanted.length === 0) return { refusalOf: () => undefined, accept: () => {} };
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
}

function notFree(): ValidationError {
  return new ValidationError('attachments', 'must not belong to another message or post');
}
