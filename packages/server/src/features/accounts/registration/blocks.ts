import { NotFoundError, ForbiddenError, ValidationError } from '@hearth/protocol';
import { tooMany } from '../../../too-many.ts';
import type { Actor } from '../../../actor.ts';
import type { Context } from '../../../context.ts';
import { INSTANCE, requirePermission } from '../../../permissions.ts';
import type { Term } from '../../../restrictions.ts';
import { formatClientRange, parseClientRange, rangesAround } from '../../../client-range.ts';
import type { Reader } from '../../../ports/database/database.ts';
import { newBanId } from '../moderation/moderation.ts';
import {
  deleteEndedBlocks,
  lockRegistration,
  selectBlocks,
  upsertBlock,
  deleteBlock,
  selectBlockOf,
  type RegistrationBlock,
} from './store.ts';

const DOMAIN = /^[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?(?:\.[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?)+$/;

const MOST_BLOCKS = 10_000;

/**
 * Lets nobody register from an address or a range, or with an address for mail of a domain. It takes the place of an earlier
 * block of the same. Throws ForbiddenError, and ConflictError if there are too many.
 */
export async function blockRegistration(
  { database, clock }: Pick<Context, 'database' | 'clock'>,
  actor: Actor,
  { what, term }: { readonly what: Blockable; readonly term: Term },
): Promise<RegistrationBlock> {
  requirePermission(actor, INSTANCE, 'MANAGE_USERS');
  const nowMs = clock.unixMs();
  const block: RegistrationBlock = { id: newBanId(), ...what, created_at: nowMs, ...term };
  await database.transaction(async ({ sql }) => {
    await lockRegistration(sql);
    await deleteEndedBlocks(sql, nowMs);
    const known = await selectBlocks(sql, { limit: MOST_BLOCKS, nowMs });
    if (known.length >= MOST_BLOCKS) {
      throw tooMany('blocks', MOST_BLOCKS);
    }
    await upsertBlock(sql, block);
  });
  return block;
}

/** Lifts a block, given by its id or value. Returns the value. Throws ForbiddenError and NotFoundError. */
export async function unblockRegistration(
  { database }: Pick<Context, 'database'>,
  actor: Actor,
  given: string,
): Promise<string> {
  requirePermission(actor, INSTANCE, 'MANAGE_USERS');
  const value = parseBlockable(given)?.value ?? given;
  return await database.transaction(async ({ sql }) => {
    const lifted = await deleteBlock(sql, value);
    if (lifted === undefined) throw new NotFoundError();
    return lifted;
  });
}

/** The blocks that have not ended, the oldest first. Throws ForbiddenError. */
export async function listRegistrationBlocks(
  { database, clock }: Pick<Context, 'database' | 'clock'>,
  actor: Actor,
): Promise<readonly RegistrationBlock[]> {
  requirePermission(actor, INSTANCE, 'MANAGE_USERS');
  return await selectBlocks(database.reader, { limit: MOST_BLOCKS, nowMs: clock.unixMs() });
}

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

export type Blockable = Pick<RegistrationBlock, 'kind' | 'value'>;

/** The clients of an address or a range, or a mail domain with those below it; undefined if `text` is neither. */
export function parseBlockable(text: string): Blockable | undefined {
  const range = parseClientRange(text);
  if (range !== undefined) return { kind: 'clients', value: formatClientRange(range) };
  const domain = parseMailDomain(text);
  return domain === undefined ? undefined : { kind: 'domain', value: domain };
}

/** A mail domain as it is stored, from what somebody typed, such as `@Example.org`; undefined if it is none. */
export function parseMailDomain(text: string): string | undefined {
  const domain = text.trim().toLowerCase().replace(/^@/, '').replace(/\.$/, '');
  return domain.length <= 253 && DOMAIN.test(domain) && !/^[\d.]+$/.test(domain)
    ? domain
    : undefined;
}

/** The domain of an address and those above it: of `ada@mail.example.org`, `mail.example.org`, `example.org` and `org`. */
export function domainsOf(email: string): readonly string[] {
  const labels = email
    .slice(email.lastIndexOf('@') + 1)
    .toLowerCase()
    .split('.');
  return labels.map((_, at) => labels.slice(at).join('.'));
}
