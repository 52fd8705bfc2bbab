import type { BlobKey, Blobs, BlobWriter } from '../../../ports/blobs/blobs.ts';
import { Sha256 } from '../../../runtime/sha256.ts';
import type { ContentFault, Move } from './move.ts';
import { ContentFaultError, readContent, sizeOfContent } from './read-content.ts';
import { selectReferrers, type MovedRow } from './store.ts';

/** The result of copying a content. `writer` is to be released when the content is recorded. */
export type CopyOutcome =
  | { readonly kind: 'copied'; readonly sizeBytes: number; readonly writer: BlobWriter }
  | { readonly kind: 'copied before' }
  | { readonly kind: 'faulty'; readonly fault: ContentFault };

interface Content {
  readonly blobKey: BlobKey;
  readonly sha256: string;
  readonly sizeBytes: number;
}

/** The place to which a content is copied, and the function that is called for every byte that is done. */
interface CopyTarget {
  readonly blobs: Blobs;
  readonly onBytes: (byteCount: number) => void;
}

/** Copies the content that `row` records, and checks it before it can be seen under its key. */
export async function copyContent(
  move: Move,
  row: MovedRow,
  { blobs, onBytes }: CopyTarget,
): Promise<CopyOutcome> {
  const content = contentOf(row);
  const { blobKey, sizeBytes } = content;
  if ((await sizeOfContent(blobs, blobKey)) === sizeBytes) {
    onBytes(sizeBytes);
    return { kind: 'copied before' };
  }
  const writer = await blobs.create(blobKey);
  let doneBytes = 0;
  try {
    await writeChecked(move, { content, writer }, (byteCount) => {
      doneBytes += byteCount;
      onBytes(byteCount);
    });
    await writer.seal();
    return { kind: 'copied', sizeBytes, writer };
  } catch (error) {
    await writer.discard();
    if (!(error instanceof ContentFaultError)) throw error;
    onBytes(sizeBytes - doneBytes);
    const referrers = await selectReferrers(move.source.reader, blobKey);
    return { kind: 'faulty', fault: { blobKey, problem: error.message, ...referrers } };
  }
}

async function writeChecked(
  { source, signal }: Move,
  { content, writer }: { content: Content; writer: BlobWriter },
  onBytes: (byteCount: number) => void,
): Promise<void> {
  const hash = new Sha256();
  for await (const chunk of readContent(source.blobs, content.blobKey, content.sizeBytes)) {
    signal.throwIfAborted();
    hash.update(chunk);
    await writer.write(chunk);
    onBytes(chunk.byteLength);
  }
  if (hash.digest() !== content.sha256) throw new ContentFaultError('its bytes have changed');
}

function contentOf(row: MovedRow): Content {
  return {
    blobKey: String(row['blob_key']),
    sha256: String(row['sha256']),
    sizeBytes: Number(row['size_bytes']),
  };
}
