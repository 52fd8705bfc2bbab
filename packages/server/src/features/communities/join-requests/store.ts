import type { Id } from '@hearth/protocol';
import type { Reader, Transaction, Writer } from '../../../ports/database/database.ts';
import type { MemberPair } from '../structure/structure.ts';
import type { JoinRequestsTable } from './tables.ts';

/** A place in the list of the requests of a community. */
export interface RequestPlace {
  readonly created_at: number;
  readonly user_id: Id;
}

export async function selectRequest(
  db: Reader,
  { communityId, userId }: MemberPair,
): Promise<JoinRequestsTable | undefined> {
  return await db
    .selectFrom('join_requests')
    .selectAll()
    .where('community_id', '=', communityId)
    .where('user_id', '=', userId)
    .executeTakeFirst();
}

/** Requests of a community, the oldest first. */
export async function selectRequests(
  db: Reader,
  communityId: Id,
  { after, limit }: { readonly after: RequestPlace | undefined; readonly limit: number },
): Promise<readonly JoinRequestsTable[]> {
  let query = db.selectFrom('join_requests').selectAll().where('community_id', '=', communityId);
  if (after !== undefined) {
    query = query.where((own) =>
      own(
        own.refTuple('created_at_ms', 'user_id'),
        '>',
        own.tuple(after.created_at, after.user_id),
      ),
    );
  }
  return await query.orderBy('created_at_ms').orderBy('user_id').limit(limit).execute();
}

/** Reads the requests of somebody everywhere, in no order. */
export async function selectRequestsOf(
  db: Reader,
  userId: Id,
): Promise<readonly JoinRequestsTable[]> {
  return await db.selectFrom('join_requests').selectAll().where('user_id', '=', userId).execute();
}

/** Counts the requests of a community or a person. */
export async function countRequests(
  db: Reader,
  of: { readonly communityId: Id } | { readonly userId: Id },
): Promise<number> {
  const [column, id] =
    'userId' in of
      ? (['user_id', of.userId] as const)
      : (['community_id', of.communityId] as const);
  const { count } = await db
    .selectFrom('join_requests')
    .select((own) => own.fn.countAll().as('count'))
    .where(column, '=', id)
    .executeTakeFirstOrThrow();
  return Number(count);
}

/** Adds a request, or replaces what it says. */
export async function upsertRequest(db: Writer, request: JoinRequestsTable): Promise<void> {
  const { content } = request;
  await db
    .insertInto('join_requests')
    .values(request)
    .onConflict((conflict) =>
      conflict.columns(['community_id', 'user_id']).doUpdateSet({ content }),
    )
    .execute();
}

const DELETE_ALL = `delete from join_requests
  where (community_id, user_id) in (select community_id, user_id from given)
  returning community_id as "communityId", user_id as "userId"`;

/** Removes requests. Returns those that there were, in no order. */
export async function deleteRequests(
  tx: Transaction,
  keys: readonly MemberPair[],
): Promise<readonly MemberPair[]> {
  return await tx.many({
    text: DELETE_ALL,
    columns: { community_id: 'text', user_id: 'text' },
    rows: keys.map(({ communityId, userId }) => [communityId, userId]),
  });
}
