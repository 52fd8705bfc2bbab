import type { Context } from '../context.ts';
import { claimLeftovers, inData, type DataFolder } from '../data-folder.ts';
import { areRecordsLost, recoverContents } from '../features/platform/contents/contents.ts';

type Contents = Pick<Context, 'blobs' | 'database' | 'log'>;

/** Cleans up what killed processes left in the folder, unless a command is adding something. Throws StartError. */
export async function settleContents(ctx: Contents, folder: DataFolder): Promise<void> {
  using leftovers = await claimLeftovers(folder);
  if (leftovers !== undefined) await inData(folder.blobs, () => recoverContents(ctx));
  else
    ctx.log.warn({}, 'a command is adding a file: leftovers of others stay until the next start');
}

/** Logs a warning if the folder has contents that the database does not know. */
export async function warnOfLostRecords(ctx: Contents, { blobs }: DataFolder): Promise<void> {
  if (!(await areRecordsLost(ctx))) return;
  ctx.log.warn(
    {},
    `${blobs} has contents that the database does not know: restore hearth.sqlite from a backup to get them back`,
  );
}
