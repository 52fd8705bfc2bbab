import { NotFoundError } from '@hearth/protocol';
import type { Context } from '../../context.ts';
import { selectStatic, type StaticFile } from './store.ts';

/** The static file of this name. Throws NotFoundError (File service rule 4). */
export async function findStatic(ctx: Context, name: string): Promise<StaticFile> {
  const file = await selectStatic(await ctx.database.reader(), name);
  if (file === undefined) throw new NotFoundError();
  return file;
}
