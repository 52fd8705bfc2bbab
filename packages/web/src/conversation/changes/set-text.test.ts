import { parseId } from '@hearth/protocol';
import { expect, test } from 'bun:test';
import { EntryLog } from '../messages/entry-log.ts';
import { followChanges } from '../messages/follow-changes.ts';
import { OwnChanges } from './own-changes.ts';
import { setText } from './set-text.ts';

test('[WC116][WC116a] a text that was not saved is shown no longer, even if somebody has reacted meanwhile', async () => {
  const id = parseId('1') ?? expect.unreachable();
  const log = new EntryLog();
  const shown = {
    author: 'ada',
    createdAtMs: 1,
    nonce: undefined,
    isOwn: true,
    isPageStart: false,
  };
  log.add({ ...shown, id, content: 'redy' });
  const changes = new OwnChanges();
  const followed = { ownId: undefined, ownChanges: changes, publish: () => {} };
  const stop = followChanges(log, { on: () => () => {} }, followed);
  const answer = Promise.withResolvers<never>();
  const source = { changeMessage: () => answer.promise };
  const saving = setText({ source, changes }, { id, from: 'redy', to: 'ready' }).catch(
    (error: unknown) => error,
  );
  expect(log.snapshot()).toMatchObject([{ content: 'ready' }]);
  const user = parseId('7') ?? expect.unreachable();
  log.react({ id, emoji: '👍', count: 1, user_id: user, version: 2, isAdded: true }, undefined);
  answer.reject(new Error('unreachable'));
  expect(await saving).toMatchObject({ message: 'unreachable' });
  const reactions = [{ emoji: '👍', count: 1 }];
  expect(log.snapshot()).toMatchObject([{ content: 'redy', reactions, version: 2 }]);
  stop();
});
