import {
  ConflictError,
  ValidationError,
  type Community,
  type CommunityChange,
  type Id,
} from '@hearth/protocol';
import { isDeepStrictEqual } from 'node:util';
import { tooMany } from '../../../too-many.ts';
import type { Account } from '../../../actor.ts';
import type { Context } from '../../../context.ts';
import type { Transaction } from '../../../ports/database/database.ts';
import { changesOf } from '../audit/audit.ts';
import { requireKind } from '../channels/channels.ts';
import { releasing } from '../../platform/contents/contents.ts';
import {
  accessTo,
  countFormerSlugs,
  describeCommunity,
  giveUpSlug,
  restructure,
  takeSlug,
  updateCommunity,
  type AccessContext,
  type CommunityFields,
  type KnownCommunity,
  type StoredCommunity,
} from '../structure/structure.ts';
import { exchangePictures, requirePictures } from './community-pictures.ts';

/** The time in milliseconds for which nobody else can take a slug that was given up. */
const SLUG_KEPT_MS = 365 * 24 * 60 * 60 * 1_000;

/** The number of slugs that a community may have given up and that nobody else can take. */
const MOST_FORMER_SLUGS = 5;

/**
 * Changes what a community says of itself, who finds it and who may join it; nothing if that makes no difference. Throws
 * NotFoundError if the caller may not know that it exists, ForbiddenError without MANAGE_COMMUNITY, ValidationError for what does
 * not fit together and for what is no picture of the caller, and ConflictError for a slug that is taken and for one change of it
 * too many.
 */
export async function changeCommunity(
  ctx: AccessContext,
  actor: Account,
  { id, reason, ...change }: CommunityChange & { readonly id: Id },
): Promise<Community> {
  await accessTo(ctx, actor, id);
  await requirePictures(ctx, actor, change);
  const changing = { actor, id, needs: 'MANAGE_COMMUNITY' } as const;
  const after = await releasing(ctx, (release) =>
    restructure(ctx, changing, async (tx, { community }) => {
      const before = community.stored;
      const fields = changedFields(before, change);
      requireFitting(community, fields);
      if (isDeepStrictEqual({ ...before, ...fields }, before)) return undefined;
      if (fields.slug !== before.slug) await changeSlug(tx, ctx, { before, slug: fields.slug });
      await exchangePictures(tx, { userId: actor.user_id, before, change }, release);
      await updateCommunity(tx.sql, id, fields);
      return ({ stored }) => ({
        action: 'community_update',
        target: { kind: 'community', id, name: stored.name },
        reason,
        changes: changesOf(describeCommunity(before), describeCommunity(stored), ['member_count']),
      });
    }),
  );
  return describeCommunity(after.stored);
}

function changedFields(
  before: StoredCommunity,
  change: Omit<CommunityChange, 'reason'>,
): CommunityFields {
  return {
    slug: change.slug ?? before.slug,
    name: change.name ?? before.name,
    description: cleared(before.description, change.description),
    rules: cleared(before.rules, change.rules),
    icon: cleared<Id | ''>(before.icon, change.icon),
    banner: cleared<Id | ''>(before.banner, change.banner),
    kind: change.kind ?? before.kind,
    visibility: change.visibility ?? before.visibility,
    join: change.join ?? before.join,
    languages: change.languages ?? before.languages,
    tags: change.tags ?? before.tags,
    isSensitive: change.sensitive ?? before.isSensitive,
  };
}

function cleared<Text extends string>(before: Text, change: Text | null | undefined): Text | '' {
  return change === undefined ? before : (change ?? '');
}

function requireFitting(community: KnownCommunity, fields: CommunityFields): void {
  if (fields.visibility === 'private' && fields.join === 'open') {
    throw new ValidationError('join', 'must not be open in a private community');
  }
  if (fields.kind === community.stored.kind) return;
  for (const { kind } of community.channelById.values()) requireKind({ stored: fields }, kind);
}

async function changeSlug(
  { sql }: Transaction,
  { clock }: Pick<Context, 'clock'>,
  { before, slug }: { readonly before: StoredCommunity; readonly slug: string },
): Promise<void> {
  const nowMs = clock.unixMs();
  if (!(await takeSlug(sql, { slug, id: before.id, nowMs }))) {
    throw new ConflictError({ code: 'taken', field_name: 'slug' });
  }
  await giveUpSlug(sql, before.slug, nowMs + SLUG_KEPT_MS);
  if ((await countFormerSlugs(sql, before.id, nowMs)) <= MOST_FORMER_SLUGS) return;
  throw tooMany('slug', MOST_FORMER_SLUGS);
}
