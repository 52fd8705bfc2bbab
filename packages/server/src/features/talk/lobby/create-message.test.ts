import { LOBBY_STREAM } from '@hearth/protocol';
import { openTestContext } from '@hearth/testing/instances/test-context';
import { countedIds } from '@hearth/testing/ports/id-source';
import { readerBefore } from '@hearth/testing/ports/reader-before';
import { expect, test } from 'bun:test';
import { OWNER } from '../../../actor.ts';
import { FailureLog } from '../../../log/failure-log.ts';
import { jsonLogger } from '../../../log/logger.ts';
import type { BusEvent } from '../../../ports/bus/bus.ts';
import { memoryBus } from '../../../ports/bus/memory.ts';
import { NamedFiles } from '../../files/uploads/named-files.ts';
import { createMessage } from './create-message.ts';

test('[LB26][OP16] a message whose files cannot be read is dispatched without them, and the failure is logged', async () => {
  await using opened = await openTestContext();
  const { clock, database, fileAddresses } = opened;
  const logged: unknown[] = [];
  using failures = new FailureLog(
    jsonLogger('info', (line) => logged.push(JSON.parse(line))),
    clock,
  );
  const reader = readerBefore(database.reader, () => Promise.reject(new Error('the disk fails')));
  const namedFiles = new NamedFiles({ database: { ...database, reader }, fileAddresses });
  const dispatched: BusEvent[] = [];
  await using bus = memoryBus({
    ids: countedIds(),
    journaled: LOBBY_STREAM,
    keep: (event) => void dispatched.push(event),
  });
  const message = { author: 'ada', content: `look: ${opened.addresses.files}/1234` };
  const ctx = { ...opened, bus, failures, namedFiles };
  expect(await createMessage(ctx, OWNER, message)).toEqual(message);
  expect(dispatched).toMatchObject([{ op: 'MESSAGE_CREATE', d: message }]);
  expect(dispatched[0]?.d).not.toHaveProperty('attachments');
  const operation = 'Reading the files of a message';
  expect(logged).toMatchObject([{ level: 50, operation, err: { message: 'the disk fails' } }]);
});
