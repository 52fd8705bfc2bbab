import type { Context } from '../../context.ts';
import { selectStatics, type StaticFile } from './store.ts';

/** Every static file, by name. */
export async function listStatics(ctx: Context): Promise<readonly StaticFile[]> {
  return selectStatics(await ctx.database.reader());
}
