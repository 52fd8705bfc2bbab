import type { Id } from '@hearth/protocol';
import type { Reader, Transaction, Writer } from '../../../ports/database/database.ts';
import type { FoldedName } from './folded-names.ts';

/** Above every character that a name has. */
const LAST_CHARACTER = '\u{10FFFF}';

/** A place in the list of the members of a community. */
export interface MemberPlace {
  readonly name: string;
  readonly user_id: Id;
}

interface NamedMember {
  readonly communityId: Id;
  readonly names: readonly FoldedName[];
}

/** Replaces the names by which a user is found as a member of these communities. */
export async function replaceNames(
  db: Writer,
  userId: Id,
  members: readonly NamedMember[],
): Promise<void> {
  if (members.length === 0) return;
  await db
    .deleteFrom('member_names')
    .where('user_id', '=', userId)
    .where(
      'community_id',
      'in',
      members.map(({ communityId }) => communityId),
    )
    .execute();
  const rows = members.flatMap(({ communityId, names }) =>
    names.map(({ name, isShown }) => {
      const of = { community_id: communityId, user_id: userId };
      return { ...of, name, shown: isShown ? 1 : 0 };
    }),
  );
  await db.insertInto('member_names').values(rows).execute();
}

const INSERT_NAMES = `insert into member_names (community_id, user_id, name, shown)
  select community_id, user_id, name, shown from given`;

/** Adds the names by which new members are found. */
export async function insertNames(
  tx: Transaction,
  members: readonly (NamedMember & { readonly userId: Id })[],
): Promise<void> {
  await tx.runMany({
    text: INSERT_NAMES,
    columns: { community_id: 'text', user_id: 'text', name: 'text', shown: 'bigint' },
    rows: members.flatMap(({ communityId, userId, names }) =>
      names.map(({ name, isShown }) => [communityId, userId, name, isShown ? 1 : 0]),
    ),
  });
}

export async function deleteNames(db: Writer, communityId: Id, userId: Id): Promise<void> {
  await db
    .deleteFrom('member_names')
    .where('community_id', '=', communityId)
    .where('user_id', '=', userId)
    .execute();
}

interface MemberPage {
  /** The beginning of a name of theirs; empty for all members. */
  readonly prefix: string;
  readonly after: MemberPlace | undefined;
  readonly limit: number;
}

/** Members in the order of the names that are shown or, with a prefix, of those that begin with it. */
export async function selectPlaces(
  db: Reader,
  communityId: Id,
  { prefix, after, limit }: MemberPage,
): Promise<readonly MemberPlace[]> {
  let query = db
    .selectFrom('member_names')
    .select(['name', 'user_id'])
    .where('community_id', '=', communityId);
  // Clients send cursors, so that one may be before everything that begins with the prefix.
  if (after !== undefined && after.name >= prefix) {
    query = query.where((own) =>
      own(own.refTuple('name', 'user_id'), '>', own.tuple(after.name, after.user_id)),
    );
  }
  query = prefix === '' ? query.where('shown', '=', 1) : beginning(query, prefix);
  const rows = await query.orderBy('name').orderBy('user_id').limit(limit).execute();
  return rows.map((row) => ({ name: row.name, user_id: row.user_id }));
}

type NamesQuery = ReturnType<typeof allNames>;

function allNames(db: Reader) {
  return db.selectFrom('member_names').select(['name', 'user_id']);
}

/** The names that begin with a prefix; of those of one member the first. */
function beginning(query: NamesQuery, prefix: string): NamesQuery {
  return query
    .where('name', '>=', prefix)
    .where('name', '<', prefix + LAST_CHARACTER)
    .where((own) =>
      own.not(
        own.exists(
          own
            .selectFrom('member_names as other')
            .select('other.name')
            .whereRef('other.community_id', '=', 'member_names.community_id')
            .whereRef('other.user_id', '=', 'member_names.user_id')
            .where('other.name', '>=', prefix)
            .whereRef('other.name', '<', 'member_names.name'),
        ),
      ),
    );
}
