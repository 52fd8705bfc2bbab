import type { Reader, Writer } from '../../../ports/database/database.ts';

/** A single fact about the instance. */
export interface Setting {
  readonly name: string;
  readonly value: string;
}

/** The value of a setting; undefined if there is none. */
export async function findSetting(db: Reader, name: string): Promise<string | undefined> {
  return (await findSettings(db, [name])).get(name);
}

/** The values of those of the settings that exist, by name. */
export async function findSettings(
  db: Reader,
  names: readonly string[],
): Promise<ReadonlyMap<string, string>> {
  const rows = await db.selectFrom('settings').selectAll().where('name', 'in', names).execute();
  return new Map(rows.map(({ name, value }) => [name, value]));
}

/** The values of the settings whose names begin with `prefix`, by the rest of the name. */
export async function findSettingsOf(
  db: Reader,
  prefix: string,
): Promise<ReadonlyMap<string, string>> {
  const rows = await db
    .selectFrom('settings')
    .selectAll()
    .where('name', 'like', `${prefix}%`)
    .execute();
  return new Map(rows.map(({ name, value }) => [name.slice(prefix.length), value]));
}

/** Stores those of the settings that do not exist. */
export async function addSettings(db: Writer, settings: readonly Setting[]): Promise<void> {
  await db
    .insertInto('settings')
    .values(settings)
    .onConflict((conflict) => conflict.column('name').doNothing())
    .execute();
}

/** Stores settings in place of what they were. */
export async function writeSettings(db: Writer, settings: readonly Setting[]): Promise<void> {
  await db
    .insertInto('settings')
    .values(settings)
    .onConflict((conflict) =>
      conflict.column('name').doUpdateSet({ value: (own) => own.ref('excluded.value') }),
    )
    .execute();
}

export async function removeSetting(db: Writer, name: string): Promise<void> {
  await db.deleteFrom('settings').where('name', '=', name).execute();
}

/** Locks an empty setting until the transaction ends; others that lock it wait. */
export async function lockSetting(db: Writer, name: string): Promise<void> {
  await writeSettings(db, [{ name, value: '' }]);
}

/** Locks a setting that exists against other changes until the transaction ends. */
export async function holdSetting(db: Writer, name: string): Promise<void> {
  await db.selectFrom('settings').select('name').where('name', '=', name).forUpdate().execute();
}

/**
 * Locks an empty setting until the transaction ends; false if another transaction has it. It is a lock on a row, so it
 * ends with the process that holds it.
 */
export async function tryLockSetting(db: Writer, name: string): Promise<boolean> {
  if (await lockedNow(db, name)) return true;
  await addSettings(db, [{ name, value: '' }]);
  return lockedNow(db, name);
}

async function lockedNow(db: Writer, name: string): Promise<boolean> {
  const row = await db
    .selectFrom('settings')
    .select('name')
    .where('name', '=', name)
    .forUpdate()
    .skipLocked()
    .executeTakeFirst();
  return row !== undefined;
}
