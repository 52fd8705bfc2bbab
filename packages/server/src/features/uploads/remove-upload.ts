import type { Id } from '@hearth/protocol';
import type { Context } from '../../context.ts';
import { removeReference } from '../contents/release-content.ts';
import { deleteUpload } from './store.ts';

/** Removes an upload, and its content unless another upload has the same bytes. Throws NotFoundError. */
export function removeUpload(ctx: Context, id: Id): Promise<void> {
  return removeReference(ctx, (writer) => deleteUpload(writer, id));
}
