import { expect, test } from 'bun:test';
import { channel, idOf } from '../../test/support/fake-communities.ts';
import { markNewestRead } from './live-communities.ts';

test('[WC136] a channel is marked as read up to the newest message that has come, if there is one', async () => {
  const marked: string[] = [];
  const general = channel('2', 'general');
  let info: typeof general | undefined = general;
  const client = {
    get info() {
      return info;
    },
    markRead: async (id: string) => void marked.push(id),
  };
  await markNewestRead(client);
  info = { ...general, last_id: idOf('501') };
  await markNewestRead(client);
  info = undefined;
  await markNewestRead(client);
  expect(marked).toEqual(['500', '501']);
});
