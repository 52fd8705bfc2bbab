import { EXPORTS_BUCKET } from '@hearth/protocol';
import { idSchema } from '@hearth/protocol/schemas';
import { z } from 'zod';
import type { Context } from '../../../context.ts';
import {
  ContentWriter,
  type SealedContent,
  recordContent,
} from '../../platform/contents/contents.ts';
import { JobFailedError, type JobKind } from '../../platform/jobs/jobs.ts';
import type { ArchivedFile, ExportPart } from './export-part.ts';
import { noteArchive, noteFailure, noteProgress } from './store.ts';

/** The time in milliseconds that an archive may take, and for which it is kept when it is ready. */
export const KEPT_MS = 7 * 86_400_000;

/** An archive has all files of a person, which may be on another machine. */
const LIMIT_MS = 6 * 3_600_000;

/** The time in milliseconds between two notes of how far an archive is. */
const PROGRESS_MS = 1_000;

const exportSchema = z.object({ user_id: idSchema, key: z.string() });

/** Whose archive is made, and under which key. */
export type ExportJob = z.infer<typeof exportSchema>;

/** The kind of jobs that make archives. */
export const EXPORT_ACCOUNT: Pick<JobKind<ExportJob>, 'name' | 'parse'> = {
  name: 'export-account',
  parse: (json) => exportSchema.parse(json),
};

/** Makes the archive of a person, and stores it. If it is no longer wanted, nothing of it remains. */
export function exportAccount<Ctx extends Context>(
  ctx: Ctx,
  parts: readonly ExportPart<Ctx>[],
): JobKind<ExportJob> {
  return {
    ...EXPORT_ACCOUNT,
    limitMs: LIMIT_MS,
    mostAttempts: 5,
    async run({ user_id: userId, key }, { signal }) {
      const files = (await Promise.all(parts.map((part) => part(ctx, userId)))).flat();
      const sealed = await archive(ctx, { files, key, signal });
      if (sealed !== undefined) await record(ctx, sealed, key);
    },
    giveUp: ({ sql }, { key }) => noteFailure(sql, key),
  };
}

interface Archiving {
  readonly files: readonly ArchivedFile[];
  readonly key: string;
  readonly signal: AbortSignal;
}

/** The sealed archive; undefined if it is no longer wanted. */
async function archive(
  ctx: Context,
  { files, key, signal }: Archiving,
): Promise<SealedContent | undefined> {
  const progress = { done: 0, total: files.length };
  const note = () => ctx.database.transaction(({ sql }) => noteProgress(sql, key, progress));
  if (!(await note())) return undefined;
  const { makeZip } = await import('client-zip');
  let notedAt = ctx.clock.monotonicMs();
  const writer = await ContentWriter.open(ctx);
  try {
    const zip = makeZip(entries(files, progress), { buffersAreUTF8: true });
    for await (const chunk of zip) {
      signal.throwIfAborted();
      await writer.write(chunk);
      if (ctx.clock.monotonicMs() < notedAt + PROGRESS_MS) continue;
      notedAt = ctx.clock.monotonicMs();
      if (!(await note())) {
        await writer.discard();
        return undefined;
      }
    }
    return await writer.seal();
  } catch (error) {
    await writer.discard();
    throw error;
  }
}

async function* entries(files: readonly ArchivedFile[], progress: { done: number }) {
  for (const { name, modifiedAtMs, read } of files) {
    yield { name, lastModified: new Date(modifiedAtMs), input: bytesOf(read) };
    progress.done += 1;
  }
}

async function* bytesOf(read: ArchivedFile['read']): AsyncGenerator<Uint8Array> {
  const content = read();
  if (content instanceof Promise) {
    yield Buffer.from(await content);
    return;
  }
  for await (const piece of content) yield typeof piece === 'string' ? Buffer.from(piece) : piece;
}

async function record(ctx: Context, sealed: SealedContent, key: string): Promise<void> {
  const expiresAtMs = ctx.clock.unixMs() + KEPT_MS;
  await recordContent(ctx, { bucket: EXPORTS_BUCKET, sealed }, async (tx, blobKey) => {
    const isWanted = await noteArchive(tx.sql, key, { blobKey, expiresAtMs });
    if (!isWanted) throw new JobFailedError('the archive is no longer wanted');
  });
}
