import { expectPublishedInSpiteOf } from '@hearth/testing/ports/outbox-kills';
import { freshPrefix } from '@hearth/testing/ports/shared-bus';
import { areServersMissing, sharedServers } from '@hearth/testing/servers/shared-servers';
import { test } from 'bun:test';

const KILLS = 100;
const TIMEOUT_MS = 600_000;

test.skipIf(areServersMissing)(
  `[OB2][OB3] of ${KILLS} kills none loses or repeats an event, or changes their order`,
  async () => {
    await using servers = await sharedServers();
    const environment = await servers.newInstance();
    await expectPublishedInSpiteOf(KILLS, { environment, prefix: freshPrefix() });
  },
  TIMEOUT_MS,
);
