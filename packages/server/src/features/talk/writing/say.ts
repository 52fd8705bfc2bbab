import { NotFoundError, ServerError, type Id } from '@hearth/protocol';
import type { Account } from '../../../actor.ts';
import type { Context } from '../../../context.ts';
import {
  dropOut,
  type EmittingTransaction,
  type Outcome as Refusal,
  type WriteWork,
  type Writing,
} from '../../../ports/outbox/outbox.ts';
import { requireAdmission } from '../../accounts/moderation/moderation.ts';
import { onceEach } from '../../platform/nonces/nonces.ts';
import { lockTurnsFor, setLast } from '../../platform/turns/turns.ts';
import { noteNew } from '../index-queue/index-queue.ts';
import { noteMentions } from '../mentions/mentions.ts';
import { notifyPeople, type Concerning } from '../notifications/notifications.ts';
import { IdTooLow, may, withIdsAbove, type Turning } from '../places/places.ts';
import { markOwn } from '../read-states/read-states.ts';
import type {
  Check,
  Draft,
  Entry,
  InTurn,
  Kind,
  NotWritten,
  Now,
  Outcome,
  Placed,
  Write,
  WritingContext,
} from './entry.ts';
import { holdFiles } from './files.ts';
import { claim, correct, keyOf } from './nonces-of.ts';
import { slowDown } from './slow-mode.ts';

/** About how many bytes an entry takes while it waits, besides its texts. */
const DRAFT_BYTES = 1_000;

/**
 * The number of times that an entry is tried: each time with an id beyond the newest one, or for the place as it is by
 * then.
 */
const MOST_TRIES = 5;

/** The way in which somebody says something: a message, a post or a comment. */
export interface Saying<Own extends Draft, Acting extends Turning, Said> {
  /** Named by errors, such as `Posting a message`. */
  readonly operation: string;
  /** The id of what the nonce has written before, if it is looked up before the input is checked. */
  earlier?(): Promise<Id | undefined>;
  /** Returns who says it where. Throws what is wrong if they may not. */
  turning(): Acting | Promise<Acting>;
  draft(turning: Acting): Own | Promise<Own>;
  /** Returns how many bytes it takes while it waits, besides its content. */
  bytes?(draft: Own): number;
  /** Returns what it waits for. */
  subjects(draft: Own, turning: Acting): Writing['subjects'];
  /** Writes it, together with others. */
  readonly write: WriteWork<Write<Own>, Outcome<Said>>;
  /** Finds what the nonce has written before. */
  find(id: Id): Promise<Said>;
  /** Completes what was said with what may have been there before it. */
  complete?(said: Said): Said | Promise<Said>;
}

/**
 * Says something in a place. It resolves when it is stored, and everyone who sees the place is sent it. The same nonce of the same
 * person says it once in ten minutes; then this resolves with what it was the first time.
 */
export async function say<
  Own extends Draft,
  Acting extends Turning,
  Said extends { readonly created_at: number },
>(ctx: WritingContext, actor: Account, saying: Saying<Own, Acting, Said>): Promise<Said> {
  const admission = requireAdmission(ctx, actor, 'changing');
  if (admission !== undefined) await admission;
  const before = saying.earlier && (await saying.earlier());
  if (before !== undefined) return await saying.find(before);
  let turning = await saying.turning();
  let draft = await saying.draft(turning);
  let id = await ctx.ids.next();
  for (let count = 1; ; count += 1) {
    try {
      const call = { ctx, turning, draft, id };
      const waiting = waitingOf(saying, turning, draft);
      const outcome = await ctx.database.write(saying.write, call, waiting);
      if ('said' in outcome) {
        const { communityId } = turning.access.place;
        const noting = communityId && ctx.activity.note(communityId, outcome.said.created_at);
        if (noting) await noting;
        return saying.complete ? await saying.complete(outcome.said) : outcome.said;
      }
      if ('earlier' in outcome) return await saying.find(outcome.earlier);
      if (count === MOST_TRIES) throw new ServerError(saying.operation);
      turning = { ...turning, access: outcome.outdated };
      draft = await saying.draft(turning);
    } catch (error) {
      if (count === MOST_TRIES || !(error instanceof IdTooLow)) throw error;
      id = await ctx.ids.after(error.newest);
    }
  }
}

function waitingOf<Own extends Draft, Acting extends Turning>(
  saying: Pick<Saying<Own, Acting, unknown>, 'bytes' | 'subjects'>,
  turning: Acting,
  draft: Own,
): Writing {
  const { access } = turning;
  const { author, content, nonce } = draft;
  const more = saying.bytes?.(draft) ?? 0;
  const bytes = 2 * (content.length + nonce.length) + more + DRAFT_BYTES;
  const isUrgent = access.guard !== undefined && may(access, 'MANAGE_CONTENT');
  return { subjects: saying.subjects(draft, turning), caller: author.id, bytes, isUrgent };
}

/**
 * Writes entries of one kind in one transaction, those of a place in the order of the list. The same nonce twice is one entry. What
 * drops out is outdated, or is refused with NotFoundError, ForbiddenError, RateLimitedError in slow mode,
 * ValidationError, IdTooLow, or what the kind refuses.
 */
export function writing<Own extends Draft, In extends Placed<Own>, Said>(
  kind: Kind<Own, In, Said>,
): WriteWork<Write<Own>, Outcome<Said>> {
  return (tx, writes) => writeTogether(tx, kind, writes);
}

async function writeTogether<Own extends Draft, In extends Placed<Own>, Said>(
  tx: EmittingTransaction,
  kind: Kind<Own, In, Said>,
  writes: readonly Write<Own>[],
): Promise<readonly Outcome<Said>[]> {
  const { nonceIn } = kind;
  const once = onceEach(writes, (write, at) => keyOf(nonceIn, write, at));
  const [first] = once;
  if (first === undefined) return [];
  const { ctx } = first;
  const now: Now = { ctx, nowMs: ctx.clock.unixMs() };
  const { entries, earlier } = await claim(tx, once, { nonceIn, nowMs: now.nowMs });
  if (entries.length === 0) return outcomes(writes, { nonceIn, earlier, placed: [], said: [] });
  const placed = await kind.place(tx, entries, now);
  // First, because what is outdated must not refuse anything.
  const missing = await kind.insert(tx, placed);
  if (missing.size > 0) {
    await dropOutdated(
      tx,
      ctx,
      placed.filter(({ id }) => missing.has(id)),
    );
  }
  await check(tx, kind, { placed, now });
  if (kind.isUnread) {
    await noteMentions(tx, placed.flatMap(mentioning));
    await markOwn(tx, placed.map(markOf));
  }
  const said = await kind.send(tx, placed, now);
  await notifyPeople(
    tx,
    ctx,
    placed.flatMap((each) => concerning(kind, each)),
  );
  await noteNew(
    tx,
    kind.indexedAs,
    placed.map(({ id }) => id),
  );
  return outcomes(writes, { nonceIn, earlier, placed, said });
}

/** Lets those drop out whom the kind, slow mode or their files refuse. */
async function check<Own extends Draft, In extends Placed<Own>, Said>(
  tx: EmittingTransaction,
  { isUnread, check: ofKind }: Kind<Own, In, Said>,
  { placed, now }: { readonly placed: readonly In[]; readonly now: Now },
): Promise<void> {
  const checks: Check<In>[] = [];
  for (const step of [ofKind, isUnread ? slowDown : undefined, holdFiles]) {
    const found = await step?.(tx, placed, now);
    if (found !== undefined) checks.push(found);
  }
  if (checks.length === 0) return;
  acceptInOrder(placed, checks);
  for (const { store } of checks) if (store !== undefined) await store();
}

/** The outcomes of calls: what their entries, or others with the same nonces, have become, now or before. */
function outcomes<Own extends Draft, Said>(
  writes: readonly Write<Own>[],
  {
    nonceIn,
    earlier,
    placed,
    said,
  }: {
    readonly nonceIn: (write: Write<Own>) => Id;
    readonly earlier: ReadonlyMap<string, Id>;
    readonly placed: readonly Placed<Own>[];
    readonly said: readonly Said[];
  },
): readonly Outcome<Said>[] {
  const places = new Map(placed.map(({ at }, place) => [at, place]));
  return writes.map((write, at) => {
    const place = places.get(at);
    const own = place === undefined ? undefined : said[place];
    if (own !== undefined) return { said: own };
    const key = keyOf(nonceIn, write, at);
    const id = earlier.get(key);
    if (id !== undefined) return { earlier: id };
    const same = said[placed.findIndex((each) => keyOf(nonceIn, each, each.at) === key)];
    if (same === undefined) throw new TypeError('an entry was neither written nor refused');
    return { said: same };
  });
}

function mentioning({ id, draft: { mentions }, turning: { access } }: Placed) {
  const { users, roles, all } = mentions;
  if ((users ?? roles ?? all) === undefined) return [];
  const { id: channelId, communityId } = access.place;
  return [{ id, channelId, communityId, mentions }];
}

function markOf({ id: lastReadId, draft: { author }, turning: { access } }: Placed) {
  const { id: channelId, communityId } = access.place;
  return { userId: author.id, communityId, channelId, lastReadId };
}

function concerning<Own extends Draft, In extends Placed<Own>>(
  { postOf }: Pick<Kind<Own, In, unknown>, 'postOf'>,
  placed: In,
): readonly Concerning[] {
  const { id, draft, turning, writtenAtMs: createdAtMs } = placed;
  const { author, mentions, repliedTo } = draft;
  const { of, place } = turning.access;
  const { id: channelId, communityId } = place;
  if (!of.notifies || (mentions.users ?? repliedTo) === undefined) return [];
  const about = { id, channelId, communityId, author, createdAtMs, repliedTo };
  const postId = postOf?.(placed);
  return [{ ...about, mentioned: mentions.users ?? [], ...(postId !== undefined && { postId }) }];
}

/** The id of the place of an entry. */
export function placeOf({ turning }: Pick<Write, 'turning'>): Id {
  return turning.access.place.id;
}

/** Locks the places, and gives each entry its number, its id and its time. */
export async function takeTurns<Own extends Draft>(
  tx: EmittingTransaction,
  entries: readonly Entry<Own>[],
  { ctx, nowMs }: Now,
): Promise<readonly InTurn<Own>[]> {
  const byPlace = Map.groupBy(entries, placeOf);
  const locked = await lockTurnsFor(
    tx,
    Array.from(byPlace, ([placeId, own]) => ({ placeId, ids: own.map(({ id }) => id) })),
    nowMs,
  );
  const isChanged = ({ turning: { access } }: Entry) =>
    locked.get(access.place.id)?.version !== access.place.version;
  const changed = entries.filter(isChanged);
  if (changed.length > 0) await dropOutdated(tx, ctx, changed);
  const placed: InTurn<Own>[] = [];
  for (const [placeId, own] of byPlace) {
    const turn = locked.get(placeId);
    if (turn === undefined) continue;
    const { number, writtenAtMs, lastId } = turn;
    const isLast = lastId === '' || lastId === own.at(-1)?.id;
    const numbered = isLast ? own : await aboveNewest(tx, own, { ctx, nowMs, lastId });
    for (const [place, entry] of numbered.entries()) {
      placed.push({ ...entry, writtenAtMs, number: number - own.length + place + 1 });
    }
  }
  return placed;
}

/** The entries of a place with ids that are greater than that of its newest one, as those that were drawn are nearly always. */
async function aboveNewest<Own extends Draft>(
  tx: EmittingTransaction,
  entries: readonly Entry<Own>[],
  { ctx, nowMs, lastId }: Now & { readonly lastId: Id },
): Promise<readonly Entry<Own>[]> {
  const greater = withIdsAbove(ctx, entries, [lastId]);
  const last = greater.at(-1);
  if (last === undefined) return greater;
  await setLast(tx, placeOf(last), { lastId: last.id, nowMs });
  await correct(tx, greater, { nonceIn: placeOf, nowMs });
  return greater;
}

/** Drops those whose place or author has changed, or was removed, with what their authors may do now. */
export async function dropOutdated(
  tx: EmittingTransaction,
  ctx: Pick<Context, 'clock'>,
  entries: readonly Entry[],
): Promise<void> {
  const dropped: (readonly [number, Refusal])[] = [];
  for (const [kind, some] of Map.groupBy(entries, ({ turning }) => turning.access.of)) {
    const now = await kind.now(
      tx,
      ctx,
      some.map(({ turning }) => turning),
    );
    for (const { at, turning } of some) {
      const own = now.get(turning) ?? { error: new NotFoundError() };
      const outcome =
        'error' in own ? own : { result: { outdated: own.access } satisfies NotWritten };
      dropped.push([at, outcome]);
    }
  }
  dropOut(dropped);
}

/** Lets those drop out that a check refuses, in their order: what is refused refuses nothing that comes after it. */
function acceptInOrder<Entry extends { readonly at: number }>(
  entries: readonly Entry[],
  checks: readonly Check<Entry>[],
): void {
  const refused: (readonly [number, Refusal])[] = [];
  for (const entry of entries) {
    const outcome = refusalOf(entry, checks);
    if (outcome === undefined) for (const check of checks) check.accept?.(entry);
    else refused.push([entry.at, outcome]);
  }
  dropOut(refused);
}

function refusalOf<Entry>(entry: Entry, checks: readonly Check<Entry>[]): Refusal | undefined {
  for (const check of checks) {
    const outcome = check.refusalOf(entry);
    if (outcome !== undefined) return outcome;
  }
  return undefined;
}
