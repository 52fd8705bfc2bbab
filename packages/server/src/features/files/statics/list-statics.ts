import { NotFoundError } from '@hearth/protocol';
import type { Actor } from '../../../actor.ts';
import type { Context } from '../../../context.ts';
import { INSTANCE, requirePermission } from '../../../permissions.ts';
import { selectStatics, selectStatic, type StaticFile } from './store.ts';

/** Every static file, by name. Throws ForbiddenError. */
export async function listStatics(ctx: Context, actor: Actor): Promise<readonly StaticFile[]> {
  requirePermission(actor, INSTANCE, 'MANAGE_INSTANCE');
  return selectStatics(ctx.database.reader);
}

/** The static file of this name. Throws NotFoundError (File service rule 4). */
export async function findStatic(ctx: Context, _actor: Actor, name: string): Promise<StaticFile> {
  const file = await selectStatic(ctx.database.reader, name);
  if (file === undefined) throw new NotFoundError();
  return file;
}
