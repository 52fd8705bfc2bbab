import type { Reader, Writer } from '../../../ports/database/database.ts';
import {
  addSettings,
  findSettings,
  findSettingsOf,
  holdSetting,
  writeSettings,
} from '../settings/settings.ts';

/** The numbers in the settings that make up the instance's identity. */
export type IdentitySetting = 'instance_id' | 'id_mark' | 'id_anchor';

/** The setting that names the instance if it shares a service with others. */
const KEY_SETTING = 'instance_key';

/** The prefix of the settings that say how classes of positions are leased. */
const CLASS_SETTING = 'id_class ';

export interface StoredIdentity {
  readonly instanceId: number;
  readonly instanceKey: string;
}

/** The stored numbers. */
export async function readIdentity(
  db: Reader,
): Promise<Readonly<Partial<Record<IdentitySetting, number>>>> {
  const settings = await findSettings(db, ['instance_id', 'id_mark', 'id_anchor']);
  return Object.fromEntries(Array.from(settings, ([name, value]) => [name, Number(value)]));
}

/** Stores how far identifiers are reserved. */
export async function writeMark(db: Writer, mark: number): Promise<void> {
  await writeSettings(db, [{ name: 'id_mark', value: String(mark) }]);
}

/** The identity of the instance: what was stored first, otherwise what is given. */
export async function settleIdentity(db: Writer, given: StoredIdentity): Promise<StoredIdentity> {
  await addSettings(db, [
    { name: 'instance_id', value: String(given.instanceId) },
    { name: KEY_SETTING, value: given.instanceKey },
  ]);
  const settings = await findSettings(db, ['instance_id', KEY_SETTING]);
  return {
    instanceId: numberOf(settings.get('instance_id')) ?? given.instanceId,
    instanceKey: settings.get(KEY_SETTING) ?? given.instanceKey,
  };
}

/** The id of the instance: what was stored first, otherwise what is given. */
export async function settleInstanceId(db: Writer, given: number): Promise<number> {
  await addSettings(db, [{ name: 'instance_id', value: String(given) }]);
  const settings = await findSettings(db, ['instance_id']);
  return numberOf(settings.get('instance_id')) ?? given;
}

/** The position up to which identifiers were reserved, and the last second in which nothing was borrowed. */
export interface StoredLease {
  readonly mark: number;
  readonly anchorSeconds: number | undefined;
}

/** Reads how far identifiers are reserved, and locks that. Nobody else can reserve any until the transaction ends. */
export async function lockLease(db: Writer): Promise<StoredLease> {
  await addSettings(db, [{ name: 'id_mark', value: '0' }]);
  await holdSetting(db, 'id_mark');
  const settings = await findSettings(db, ['id_mark', 'id_anchor']);
  return {
    mark: numberOf(settings.get('id_mark')) ?? 0,
    anchorSeconds: numberOf(settings.get('id_anchor')),
  };
}

/** Stores how far they are reserved, and the last second in which nothing was borrowed. */
export async function writeLease(
  db: Writer,
  { mark, anchorSeconds }: { readonly mark: number; readonly anchorSeconds: number },
): Promise<void> {
  await writeSettings(db, [
    { name: 'id_mark', value: String(mark) },
    { name: 'id_anchor', value: String(anchorSeconds) },
  ]);
}

/** A class of positions, as it is leased. */
export interface StoredClass {
  /** The first position of it that was never reserved. */
  readonly mark: number;
  /** The process that has it; empty if none has. */
  readonly holder: string;
  readonly renewedAtMs: number;
}

/** The classes of positions that were ever leased, by index. */
export async function selectClasses(db: Reader): Promise<ReadonlyMap<number, StoredClass>> {
  const settings = await findSettingsOf(db, CLASS_SETTING);
  return new Map(
    Array.from(settings, ([index, value]) => {
      const [mark, renewedAtMs, holder = ''] = value.split(' ');
      return [
        Number(index),
        { mark: Number(mark), renewedAtMs: Number(renewedAtMs), holder },
      ] as const;
    }),
  );
}

export async function writeClass(
  db: Writer,
  index: number,
  { mark, renewedAtMs, holder }: StoredClass,
): Promise<void> {
  const value = `${mark} ${renewedAtMs} ${holder}`;
  await writeSettings(db, [{ name: `${CLASS_SETTING}${index}`, value }]);
}

function numberOf(text: string | undefined): number | undefined {
  return text === undefined ? undefined : Number(text);
}
