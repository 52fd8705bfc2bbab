import { ID_EPOCH_SECONDS } from '@hearth/protocol';
import type { Clock } from '../../clock.ts';
import type { Database } from '../../ports/database/database.ts';
import { IdGenerator } from './id-generator.ts';
import { readSetting, writeSetting } from './store.ts';

const INSTANCE_IDS = 2 ** 48;

/** The source of the instance's identifiers. Its id is made at the first start and kept (Resources: Identifier format). */
export async function openIdentity(database: Database, clock: Clock): Promise<IdGenerator> {
  const { instanceId, mark } = await database.transaction(async (writer) => {
    const known = await readSetting(writer, 'instance_id');
    const made = Math.max(0, Math.floor(clock.unixMs() / 1000) - ID_EPOCH_SECONDS);
    if (known === undefined) await writeSetting(writer, 'instance_id', made % INSTANCE_IDS);
    return {
      instanceId: known ?? made % INSTANCE_IDS,
      mark: (await readSetting(writer, 'id_mark')) ?? 0,
    };
  });
  return new IdGenerator({
    instanceId,
    clock,
    mark,
    storeMark: (value) => database.transaction((writer) => writeSetting(writer, 'id_mark', value)),
  });
}
