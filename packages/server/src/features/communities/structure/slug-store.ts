import type { Id } from '@hearth/protocol';
import type { Reader, Writer } from '../../../ports/database/database.ts';
import { readRows } from '../../../ports/database/read-rows.ts';

export async function selectIdOfSlug(db: Reader, slug: string): Promise<Id | undefined> {
  // One row in any case, so that a community that is hidden takes the same as one that does not exist.
  const text = `select (select community_id from community_slugs where slug = $1 and free_at_ms = 0) as community_id`;
  const statement = { text, values: [slug] };
  const [row] = await readRows<{ readonly community_id: Id | null }>(db, statement);
  return row?.community_id ?? undefined;
}

/** Takes a slug for a community; false if another one has it, or had it within a year. */
export async function takeSlug(
  db: Writer,
  { slug, id, nowMs }: { readonly slug: string; readonly id: Id; readonly nowMs: number },
): Promise<boolean> {
  const taken = { community_id: id, free_at_ms: 0 };
  const row = await db
    .insertInto('community_slugs')
    .values({ slug, ...taken })
    .onConflict((conflict) =>
      conflict
        .column('slug')
        .doUpdateSet(taken)
        .where((where) =>
          where.or([
            where.and([
              where('community_slugs.free_at_ms', '>', 0),
              where('community_slugs.free_at_ms', '<=', nowMs),
            ]),
            where('community_slugs.community_id', '=', id),
          ]),
        ),
    )
    .returning('community_id')
    .executeTakeFirst();
  return row?.community_id === id;
}

/** Gives up a slug. Nobody else can take it before it is free. */
export async function giveUpSlug(db: Writer, slug: string, freeAtMs: number): Promise<void> {
  await db
    .updateTable('community_slugs')
    .set({ free_at_ms: freeAtMs })
    .where('slug', '=', slug)
    .execute();
}

/** Counts the slugs that a community has given up and that nobody else can take yet. */
export async function countFormerSlugs(db: Reader, id: Id, nowMs: number): Promise<number> {
  const { count } = await db
    .selectFrom('community_slugs')
    .select((own) => own.fn.countAll().as('count'))
    .where('community_id', '=', id)
    .where('free_at_ms', '>', nowMs)
    .executeTakeFirstOrThrow();
  return Number(count);
}
