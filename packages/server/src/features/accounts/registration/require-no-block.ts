import { ForbiddenError, ValidationError } from '@hearth/protocol';
import type { Actor } from '../../../actor.ts';
import { formatClientRange, parseClientRange, rangesAround } from '../../../client-range.ts';
import type { Context } from '../../../context.ts';
import type { Reader } from '../../../ports/database/database.ts';
import { domainsOf } from './mail-domain.ts';
import { selectBlockOf } from './store.ts';

/**
 * Throws ForbiddenError if nobody registers from the actor's address, and ValidationError if nobody registers with the
 * address for mail.
 */
export async function requireNoBlock(
  db: Reader,
  { clock }: Pick<Context, 'clock'>,
  { actor, email }: { readonly actor: Actor; readonly email: string },
): Promise<void> {
  const nowMs = clock.unixMs();
  const range = 'address' in actor ? parseClientRange(actor.address) : undefined;
  const clients = range === undefined ? [] : rangesAround(range).map(formatClientRange);
  const network = await selectBlockOf(db, 'clients', { values: clients, nowMs });
  if (network !== undefined) {
    const { until, reason } = network;
    throw new ForbiddenError({
      code: 'registration_blocked',
      ...(until !== undefined && { until }),
      ...(reason !== undefined && { reason }),
    });
  }
  const values = domainsOf(email);
  const domain = await selectBlockOf(db, 'domain', { values, nowMs });
  if (domain === undefined) return;
  const reason = domain.reason === undefined ? '' : ` (${domain.reason})`;
  throw new ValidationError('email', `is of a mail service that is not accepted here${reason}`);
}
