import type { Actor } from '../../../actor.ts';
import type { Context } from '../../../context.ts';
import { requireStay } from './require-admission.ts';

/**
 * The chunks of an upload that has been admitted, as long as the owner allows it. Throws ForbiddenError as soon as that
 * ends, and ServerError if it cannot be known at the end of the upload.
 */
export async function* whileAdmitted(
  ctx: Context,
  actor: Actor,
  body: AsyncIterable<Uint8Array>,
): AsyncGenerator<Uint8Array> {
  const { restrictions } = ctx;
  for await (const chunk of body) {
    requireStay(ctx, actor, { inForce: restrictions.latest, what: 'uploads' });
    yield chunk;
  }
  requireStay(ctx, actor, { inForce: await restrictions.current(), what: 'uploads' });
}
