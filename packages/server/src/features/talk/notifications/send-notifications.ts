import {
  compareIds,
  userStream,
  type Id,
  type Notification,
  type UserSummary,
} from '@hearth/protocol';
import type { Context } from '../../../context.ts';
import { KEPT } from '../../../ports/database/database.ts';
import type { Emitted, EmittingTransaction } from '../../../ports/outbox/outbox.ts';
import type { KeepsCommunities, KeepsMembers } from '../../communities/structure/structure.ts';
import type { KeepsUsers } from '../../accounts/users/users.ts';
import { visibleThings, type HasPlaces } from '../places/places.ts';
import { describeNotification } from './describe-notification.ts';
import type { HasNotifiedTexts } from './notified-texts.ts';
import {
  deleteOld,
  lockUnsent,
  selectStoredUnsent,
  selectUnsent,
  setSent,
  type StoredNotification,
} from './store.ts';
import type { UnsentNotification } from './unsent-notifications.ts';

/** The number of times that it tries to send notifications that others are changing. */
const MOST_TRIES = 3;

/** The context that it takes to send notifications. */
export interface SendingContext
  extends
    Pick<Context, 'database'>,
    HasNotifiedTexts,
    HasPlaces,
    KeepsCommunities,
    KeepsMembers,
    KeepsUsers {}

/** Some of the notifications were sent, read or removed meanwhile. */
class Changed extends Error {}

/**
 * Sends people's devices the notifications that were stored for them, each once, even if several processes try it at the same time.
 * Leaves out those in channels that their people no longer see, and those about comments on deleted posts. What others are changing
 * is left for later. Returns how many are done with.
 */
export async function sendNotifications(
  ctx: SendingContext,
  unsent: readonly UnsentNotification[],
): Promise<number> {
  if (unsent.length === 0) return 0;
  const people = await ctx.users.all(unsent.map(({ authorId }) => authorId));
  const visible = new Set((await visibleThings(ctx, unsent)).values().map(keyOf));
  const send = async (tx: EmittingTransaction) => {
    const found = await selectUnsent(tx, unsent);
    if (found.length === 0) return 0;
    const deleted = await deletedOf(tx, ctx, found);
    const shown = found.filter((each) => visible.has(keyOf(each)) && !deleted.has(each.postId));
    await tx.emitAll(shown.map((each) => emittedOf(each, people)));
    // From here on, nobody else marks them as read or removes old ones until this has ended.
    await tx.takeNumbers();
    const locked = await lockUnsent(tx, found);
    const isSame = found.every(({ isRead }, at) => isRead === locked[at]?.isRead);
    if (!isSame) throw new Changed();
    await setSent(tx, found);
    const userIds = new Set(found.map(({ userId }) => userId));
    await deleteOld(tx, [...userIds].toSorted(compareIds));
    return found.length;
  };
  for (let count = 1; count <= MOST_TRIES; count += 1) {
    try {
      return await ctx.database.transaction(send, KEPT);
    } catch (error) {
      if (!(error instanceof Changed)) throw error;
    }
  }
  return 0;
}

/** The deleted posts whose comments they are about; a job removes such notifications later. */
async function deletedOf(
  { sql }: EmittingTransaction,
  { notifiedTexts }: HasNotifiedTexts,
  notifications: readonly StoredNotification[],
): Promise<ReadonlySet<Id | ''>> {
  const ids = new Set(
    notifications.flatMap(({ id, postId }) => (postId === '' || postId === id ? [] : [postId])),
  );
  return ids.difference(await notifiedTexts.posts(sql, [...ids]));
}

function keyOf({ userId, id }: UnsentNotification): string {
  return `${userId} ${id}`;
}

function emittedOf(
  notification: StoredNotification,
  people: ReadonlyMap<Id, UserSummary>,
): Emitted {
  const described = describeNotification(notification, people);
  const d: Notification = notification.isRead ? { ...described, read: true } : described;
  const stream = userStream(notification.userId);
  return [{ stream, event: { op: 'NOTIFICATION_CREATE', d } }, { subject: stream }];
}

/** Sends notifications that nobody has sent, whichever process has stored them, up to so many. Returns how many are done with. */
export async function sendStored(ctx: SendingContext, most: number): Promise<number> {
  return await sendNotifications(ctx, await selectStoredUnsent(ctx.database.reader, most));
}
