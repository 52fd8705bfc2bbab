import {
  expectGoesOnInSpiteOf,
  expectPublishedInSpiteOf,
} from '@hearth/testing/ports/outbox-kills';
import { folderPlace, postgresPlace, sharedPlace } from '@hearth/testing/ports/outbox-places';
import { areServersMissing, sharedServers } from '@hearth/testing/servers/shared-servers';
import { test } from 'bun:test';

const KILLS = 100;
const KILLS_ALONE = 30;
const TIMEOUT_MS = 600_000;

test.skipIf(areServersMissing)(
  `[OB2][OB3] none of ${KILLS} kills loses or repeats an event, or changes the order of events`,
  async () => {
    await using servers = await sharedServers();
    await expectPublishedInSpiteOf(KILLS, sharedPlace(await servers.newInstance()));
  },
  TIMEOUT_MS,
);

test.skipIf(areServersMissing)(
  `[OB2][OB3] on PostgreSQL alone, none of ${KILLS_ALONE} kills changes the order of events or leaves any in rows`,
  async () => {
    await using servers = await sharedServers();
    const { DATABASE_URL } = await servers.newInstance();
    await expectGoesOnInSpiteOf(KILLS_ALONE, postgresPlace(DATABASE_URL));
  },
  TIMEOUT_MS,
);

test(
  `[OB2][OB5] on the embedded engines, none of ${KILLS_ALONE} kills changes the order of events or leaves any in rows`,
  async () => {
    await using place = await folderPlace();
    await expectGoesOnInSpiteOf(KILLS_ALONE, place);
  },
  TIMEOUT_MS,
);
