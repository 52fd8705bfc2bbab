import { busBetween } from '@hearth/testing/ports/bus-between';
import { countsIn, emitCounted, entriesIn, rowsIn } from '@hearth/testing/ports/emit-counted';
import { SUBJECTS } from '@hearth/testing/ports/emitting-process';
import { folderPlace } from '@hearth/testing/ports/outbox-places';
import { expect, test } from 'bun:test';
import { commitAndKill } from './kills.contract.ts';
import { outboxContract } from './outbox.contract.ts';

outboxContract('the embedded engines', folderPlace);

test('[OB3] the embedded engines keep the commits of a killed process, and do not publish its events again', async () => {
  await using place = await folderPlace();
  await commitAndKill(place);
  const { follower, wrap } = busBetween();
  await using instance = await place.open({ bus: wrap });
  const committed = await countsIn(instance.database);
  expect([...committed.values()].reduce((sum, count) => sum + count, 0)).toBe(6);
  expect(await rowsIn(instance.database)).toBe(0);
  for (const subject of SUBJECTS) {
    await instance.database.transaction((tx) => emitCounted(tx, subject));
    const next = (committed.get(subject) ?? 0) + 1;
    expect(entriesIn(follower, subject)).toEqual([`event ${next}`]);
  }
});
