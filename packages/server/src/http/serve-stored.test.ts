import { expect, test } from 'bun:test';
import { openTestContext } from '../../test/support/test-context.ts';
import { readError } from '../../test/support/read-error.ts';
import { jsonLogger } from '../log/logger.ts';
import { RefusalLog } from '../log/refusal-log.ts';
import { createApp, httpHandler, resource } from './app.ts';
import { serveStored } from './serve-stored.ts';

test('[OP16] a content whose bytes are lost is answered with a 404 and counted, and at debug level it is told which', async () => {
  await using base = await openTestContext();
  const logged: Record<string, unknown>[] = [];
  const log = jsonLogger('debug', (line) => logged.push(JSON.parse(line)));
  const ctx = { ...base, log, refusals: new RefusalLog(log, base.clock) };
  const blobKey = crypto.randomUUID();
  const app = resource(createApp(ctx), '/', {
    GET: [
      (c) =>
        serveStored(ctx, c, {
          blobKey,
          name: 'lost.txt',
          contentType: 'text/plain',
          sizeBytes: 1,
          sha256: '00',
          disposition: 'inline',
          isImmutable: true,
        }),
    ],
  });
  const handle = httpHandler({ makeApp: () => app }, () => 'client');
  const answer = await handle(new Request('http://h/'), {
    address: '192.0.2.1',
    isCrowded: false,
    allowSilence() {},
  });
  expect((await readError(answer)).status).toBe(404);
  ctx.refusals[Symbol.dispose]();
  expect(logged).toContainEqual(expect.objectContaining({ blobKey }));
  expect(logged).toContainEqual(expect.objectContaining({ refusal: 'ContentGone', count: 1 }));
});
