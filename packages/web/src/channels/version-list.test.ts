import type { ChannelMessage, MessageVersion } from '@hearth/protocol';
import { expect, test } from 'bun:test';
import { idOf } from '../../test/support/fake-communities.ts';
import { versionList } from './version-list.ts';

const KEPT = 60;

test('[WC174] what a message says comes before its earlier versions, which stay if older ones cannot be loaded', async () => {
  const asked: unknown[] = [];
  let isAway = false;
  const list = versionList(
    {
      // Guarantee: the list looks at nothing else of them.
      message: async (id) => ({ id, version: KEPT + 1 }) as unknown as ChannelMessage,
      versions: async (_, query) => {
        const { before = KEPT + 1, limit } = query ?? {};
        asked.push(before);
        if (isAway) throw new Error('away');
        const versions = Array.from({ length: before - 1 }, (__, index) => before - 1 - index);
        return versions
          .slice(0, limit)
          .map((version) => ({ version, content: '', replaced_at: 0 }) as MessageVersion);
      },
    },
    idOf('5'),
  );
  const shown = () => {
    const { value } = list.asked;
    return value.state === 'there' ? value.value.entries.map(({ version }) => version) : undefined;
  };
  const all = Array.from({ length: KEPT + 1 }, (_, index) => KEPT + 1 - index);
  await list.load();
  expect(shown()).toEqual(all.slice(0, 51));
  isAway = true;
  await list.loadMore();
  expect(shown()).toEqual(all.slice(0, 51));
  expect(list.moreFailure.value).toEqual(new Error('away'));
  isAway = false;
  await list.loadMore();
  expect(shown()).toEqual(all);
  await list.loadMore();
  expect(asked).toEqual([KEPT + 1, 11, 11]);
});
