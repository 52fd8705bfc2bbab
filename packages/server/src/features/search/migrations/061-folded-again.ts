import type { Kysely } from 'kysely';
import type { Migration } from 'kysely/migration';

interface OldTables {
  readonly channel_index: { readonly is_stale: number };
  readonly search_places: {
    readonly name: string;
    readonly place: number;
    readonly indexed_number: number;
    readonly indexed_id: string;
  };
}

/** Words are folded in another way. The indexes are made again in the background, as an owner can order at any time. */
export const foldAgain: Migration = {
  async up(db: Kysely<OldTables>) {
    await db.updateTable('channel_index').set({ is_stale: 1 }).execute();
    const places = await db.selectFrom('search_places').selectAll().execute();
    let last = Math.max(0, ...places.map(({ place }) => Number(place)));
    for (const row of places.filter(({ name }) => !name.includes(':'))) {
      last += 1;
      // The words of the old index are deleted step by step.
      const replaced = { ...row, name: `${row.name}:${row.place}` };
      await db.insertInto('search_places').values(replaced).execute();
      await db
        .updateTable('search_places')
        .set({ place: last, indexed_number: 0, indexed_id: '0' })
        .where('name', '=', row.name)
        .execute();
    }
  },
};
