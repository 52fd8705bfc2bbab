import type { Context } from '../../context.ts';
import { removeReference } from '../contents/release-content.ts';
import { deleteStatic } from './store.ts';

/** Removes a static file. Throws NotFoundError. */
export function removeStatic(ctx: Context, name: string): Promise<void> {
  return removeReference(ctx, (writer) => deleteStatic(writer, name));
}
