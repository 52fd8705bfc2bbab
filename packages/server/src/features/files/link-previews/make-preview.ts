import { z } from 'zod';
import type { Id } from '@hearth/protocol';
import type { Context } from '../../../context.ts';
import type { Outbound } from '../../../lib/outbound/outbound.ts';
import { ageOf } from '../../../lib/stored-moment.ts';
import { JobFailedError, type Attempt, type JobKind } from '../../platform/jobs/jobs.ts';
import { fetchPreview, type FoundPreview } from './fetch-preview.ts';
import { REFRESHED_AFTER_MS, NO_PREVIEW, type PreviewKind } from './stored-preview.ts';
import { recordPreview } from './record-preview.ts';
import { endWaiting, lockPreview, selectPreview, selectWaiting, updatePreview } from './store.ts';
import type { LinkPreviewsTable } from './tables.ts';

const previewSchema = z.object({
  url_hash: z.string(),
  /** True if it is announced only, as it is. */
  is_made: z.boolean().optional(),
});

export type PreviewJob = z.infer<typeof previewSchema>;

export const MAKE_PREVIEW: Pick<JobKind<PreviewJob>, 'name' | 'parse'> = {
  name: 'link-preview',
  parse: (json) => previewSchema.parse(json),
};

/** The number of attempts, within a few minutes: after that nobody looks at what was just posted. */
const MOST_ATTEMPTS = 3;

/** For the page, its pictures, and what shows it, in milliseconds. Other servers decide how much of it is needed. */
const LIMIT_MS = 120_000;

const ANNOUNCED_AT_ONCE = 100;

export interface PreviewMaking<Ctx> {
  readonly outbound: Outbound;
  readonly announcers: PreviewAnnouncers<Ctx>;
}

/** Requests an address, stores what there is to see, and sends it to the readers of what shows it. */
export function makePreview<Ctx extends Context>(
  ctx: Ctx,
  { outbound, announcers }: PreviewMaking<Ctx>,
): JobKind<PreviewJob> {
  return {
    ...MAKE_PREVIEW,
    atOnce: 4,
    limitMs: LIMIT_MS,
    // A failed job would not let another one be added, so the last attempt requests nothing, and never fails.
    mostAttempts: MOST_ATTEMPTS + 1,
    async run({ url_hash: urlHash, is_made: isMade = false }, attempt) {
      if (!ctx.settings.rest.hasLinkPreviews) return;
      const known = await selectPreview(ctx.database.reader, urlHash);
      if (known === undefined) return;
      if (!isMade && isOld(ctx, known)) await refresh(ctx, outbound, { known, attempt });
      await announce(ctx, urlHash, { announcers, signal: attempt.signal });
    },
  };
}

function isOld({ clock }: Pick<Context, 'clock'>, preview: LinkPreviewsTable): boolean {
  return ageOf(preview.fetched_at_ms, clock.unixMs()) >= REFRESHED_AFTER_MS;
}

interface Refreshed {
  readonly known: LinkPreviewsTable;
  readonly attempt: Attempt;
}

async function refresh(
  ctx: Context,
  outbound: Outbound,
  { known, attempt }: Refreshed,
): Promise<void> {
  const { signal, number } = attempt;
  if (number > MOST_ATTEMPTS) return keepAsItIs(ctx, known.url_hash);
  let found: FoundPreview;
  try {
    found = await fetchPreview(known.url, { ...ctx, outbound, signal });
  } catch (error) {
    signal.throwIfAborted();
    const isLast = error instanceof JobFailedError || number >= MOST_ATTEMPTS;
    if (!isLast) throw error;
    await keepAsItIs(ctx, known.url_hash);
    return;
  }
  await recordPreview(ctx, known.url_hash, found);
}

/** Notes that an address has nothing for us; what was found there before is shown on. */
async function keepAsItIs(
  { database, clock }: Pick<Context, 'database' | 'clock'>,
  urlHash: string,
): Promise<void> {
  await database.transaction(async ({ sql }) => {
    const known = await lockPreview(sql, urlHash);
    if (known === undefined) return;
    const content = known.state === 'waiting' ? NO_PREVIEW : {};
    await updatePreview(sql, urlHash, { ...content, fetched_at_ms: clock.unixMs() });
  });
}

interface Announcing<Ctx> {
  readonly announcers: PreviewAnnouncers<Ctx>;
  readonly signal: AbortSignal;
}

async function announce<Ctx extends Pick<Context, 'database'>>(
  ctx: Ctx,
  urlHash: string,
  { announcers, signal }: Announcing<Ctx>,
): Promise<void> {
  for (;;) {
    const waiting = await selectWaiting(ctx.database.reader, urlHash, ANNOUNCED_AT_ONCE);
    if (waiting.length === 0) return;
    const preview = await selectPreview(ctx.database.reader, urlHash);
    for (const [kind, some] of Map.groupBy(waiting, (each) => each.kind)) {
      signal.throwIfAborted();
      const ids = some.map(({ id }) => id);
      if (preview?.state === 'ready') await announcers[kind](ctx, ids);
      await ctx.database.transaction(({ sql }) => endWaiting(sql, urlHash, ids));
    }
  }
}

/** Sends to the readers of these that their previews are ready. It may be repeated, and what was removed is left out. */
export type AnnouncePreviews<Ctx> = (ctx: Ctx, ids: readonly Id[]) => Promise<void>;

/** The work of each part of the instance when previews that it shows are ready. */
export type PreviewAnnouncers<Ctx> = Readonly<Record<PreviewKind, AnnouncePreviews<Ctx>>>;
