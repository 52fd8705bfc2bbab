import type { Context } from '../../context.ts';
import { selectStatics, type StaticFile } from './store.ts';

/** Every static file, by name. */
export function listStatics(ctx: Context): Promise<readonly StaticFile[]> {
  return selectStatics(ctx.database.reader);
}
