import type { RegistrationMode } from '@hearth/protocol';
import type { Context } from '../../../server/src/context.ts';

/** Returns the context with another mode of registration. */
export function withRegistration<Ctx extends Pick<Context, 'settings'>>(
  ctx: Ctx,
  registration: RegistrationMode,
): Ctx {
  return { ...ctx, settings: { ...ctx.settings, registration } };
}
