import type { RegistrationMode } from '@hearth/protocol';
import type { Context } from '../../../server/src/context.ts';

/** The same context of an instance where this is who may register. */
export function withRegistration<Ctx extends Pick<Context, 'settings'>>(
  ctx: Ctx,
  registration: RegistrationMode,
): Ctx {
  return { ...ctx, settings: { ...ctx.settings, registration } };
}
