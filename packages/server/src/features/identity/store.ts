import type { Database, Writer } from '../../ports/database/database.ts';

/** The numbers among the settings that make up the instance's identity. */
export type IdentitySetting = 'instance_id' | 'id_mark' | 'id_anchor';

/** The setting that names the instance where it shares a service with others. */
const KEY_SETTING = 'instance_key';

/** Who an instance is, as far as that was settled. */
export interface StoredIdentity {
  readonly instanceId: number | undefined;
  readonly instanceKey: string | undefined;
}

/** The stored numbers. */
export async function readSettings(
  database: Database,
): Promise<Readonly<Partial<Record<IdentitySetting, number>>>> {
  const rows = await database.rows('select name, value from settings');
  return Object.fromEntries(rows.map(({ name, value }) => [name, Number(value)]));
}

/** Stores a number in place of the one before. */
export async function writeSetting(
  db: Writer,
  name: IdentitySetting,
  value: number,
): Promise<void> {
  await writeTexts(db, [{ name, value: String(value) }]);
}

/** Who the instance is, in a transaction. */
export async function selectIdentity(db: Writer): Promise<StoredIdentity> {
  const settings = await selectSettings(db, ['instance_id', KEY_SETTING]);
  return {
    instanceId: numberOf(settings.get('instance_id')),
    instanceKey: settings.get(KEY_SETTING),
  };
}

/** Stores who the instance is. */
export async function writeIdentity(
  db: Writer,
  { instanceId, instanceKey }: { readonly instanceId: number; readonly instanceKey: string },
): Promise<void> {
  await writeTexts(db, [
    { name: 'instance_id', value: String(instanceId) },
    { name: KEY_SETTING, value: instanceKey },
  ]);
}

/** How far identifiers were reserved, and the second in which nothing was borrowed last. */
export interface StoredLease {
  readonly mark: number;
  readonly anchorSeconds: number | undefined;
}

/** How far identifiers are reserved, in a transaction. */
export async function selectLease(db: Writer): Promise<StoredLease> {
  const settings = await selectSettings(db, ['id_mark', 'id_anchor']);
  return {
    mark: numberOf(settings.get('id_mark')) ?? 0,
    anchorSeconds: numberOf(settings.get('id_anchor')),
  };
}

/** Stores how far they are. */
export async function writeLease(
  db: Writer,
  { mark, anchorSeconds }: { readonly mark: number; readonly anchorSeconds: number },
): Promise<void> {
  await writeTexts(db, [
    { name: 'id_mark', value: String(mark) },
    { name: 'id_anchor', value: String(anchorSeconds) },
  ]);
}

async function selectSettings(
  db: Writer,
  names: readonly string[],
): Promise<ReadonlyMap<string, string>> {
  const rows = await db.selectFrom('settings').selectAll().where('name', 'in', names).execute();
  return new Map(rows.map(({ name, value }) => [name, value]));
}

async function writeTexts(
  db: Writer,
  settings: readonly { readonly name: string; readonly value: string }[],
): Promise<void> {
  await db
    .insertInto('settings')
    .values(settings)
    .onConflict((conflict) =>
      conflict.column('name').doUpdateSet({ value: (own) => own.ref('excluded.value') }),
    )
    .execute();
}

function numberOf(text: string | undefined): number | undefined {
  return text === undefined ? undefined : Number(text);
}
