import { ValidationError } from '@hearth/protocol';
import type { EmittingTransaction } from '../../../ports/outbox/outbox.ts';
import { holdUploads } from '../../files/uploads/uploads.ts';
import type { Check, Checks } from './accept-in-order.ts';
import type { Placed } from './entry.ts';
import { notOwn } from './given-files.ts';

/** Holds the files of entries. Refuses those with files that are not their authors', or belong to something else. */
export function holdFiles(tx: EmittingTransaction, placed: readonly Placed[]): Checks<Placed> {
  const wanted = placed.flatMap(({ draft: { author, files } }) =>
    files.map(({ id }) => ({ id, userId: author.id })),
  );
  return wanted.length === 0 ? [] : hold(tx, wanted);
}

async function hold(
  tx: EmittingTransaction,
  wanted: Parameters<typeof holdUploads>[1],
): Promise<readonly Check<Placed>[]> {
  const { held, attached } = await holdUploads(tx, wanted);
  const taken = new Set(attached);
  return [
    {
      refusalOf({ draft: { files } }) {
        if (!files.every(({ id }) => held.has(id))) return { error: notOwn() };
        return files.some(({ id }) => taken.has(id)) ? { error: notFree() } : undefined;
      },
      accept({ draft: { files } }) {
        for (const { id } of files) taken.add(id);
      },
    },
  ];
}

function notFree(): ValidationError {
  return new ValidationError('attachments', 'must not belong to another message or post');
}
