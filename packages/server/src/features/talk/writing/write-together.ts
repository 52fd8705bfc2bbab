import type { Id } from '@hearth/protocol';
import { andThen } from '../../../lib/and-then.ts';
import type { EmittingTransaction, WriteWork } from '../../../ports/outbox/outbox.ts';
import { onceEach } from '../../platform/nonces/nonces.ts';
import { aboveIndexes } from '../index-queue/index-queue.ts';
import { noteMentions } from '../mentions/mentions.ts';
import { notifyPeople, type Concerning } from '../notifications/notifications.ts';
import { markOwn } from '../read-states/read-states.ts';
import { acceptInOrder, type Check, type Checks } from './accept-in-order.ts';
import type { Draft, Kind, Now, Outcome, Placed, Write } from './entry.ts';
import { holdFiles } from './hold-files.ts';
import { placeOf } from './in-turn.ts';
import { claim, keyOf } from './nonces-of.ts';
import { dropOutdated } from './outdated.ts';

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
  const channelIds = new Set(kind.isIndexed ? writes.map(placeOf) : []);
  const drawn = kind.isIndexed ? await aboveIndexes(tx, ctx, { entries: once, channelIds }) : once;
  const { entries, earlier } = await claim(tx, drawn, { nonceIn, nowMs: now.nowMs });
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
  const found = checksOf(tx, kind, { placed, now });
  const checks = found instanceof Promise ? await found : found;
  if (checks.length > 0) {
    acceptInOrder(placed, checks);
    for (const check of checks) if (check.store !== undefined) await check.store();
  }
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
  tx.afterCommit(() => {
    for (const each of placed) ctx.posted.note(placeOf(each));
  });
  return outcomes(writes, { nonceIn, earlier, placed, said });
}

/** What refuses what the kind does not allow, and what cannot have its files. */
function checksOf<Own extends Draft, In extends Placed<Own>, Said>(
  tx: EmittingTransaction,
  kind: Kind<Own, In, Said>,
  { placed, now }: { readonly placed: readonly In[]; readonly now: Now },
): Checks<In> {
  return andThen(kind.checks?.(tx, placed, now) ?? [], (own) =>
    andThen<readonly Check<In>[], readonly Check<In>[]>(holdFiles(tx, placed), (files) => [
      ...own,
      ...files,
    ]),
  );
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
  const { id: channelId, communityId } = turning.access.place;
  // Outside of communities, what is said notifies nobody.
  if (communityId === '' || (mentions.users ?? repliedTo) === undefined) return [];
  const about = { id, channelId, communityId, author, createdAtMs, repliedTo };
  const postId = postOf?.(placed);
  return [{ ...about, mentioned: mentions.users ?? [], ...(postId !== undefined && { postId }) }];
}
