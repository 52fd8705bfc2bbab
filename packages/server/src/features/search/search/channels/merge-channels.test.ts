import { compareIds, MOST_SEARCH_CANDIDATES, type Id } from '@hearth/protocol';
import { expect, test } from 'bun:test';
import type { ChannelCandidates } from './channel-candidates.ts';
import { mergeChannels, type FoundEntries } from './merge-channels.ts';

interface Numbered {
  readonly id: Id;
}

const idOf = (number: number) => String(number) as Id;

/** A channel with an entry for every n-th id, of which each read costs as much as given. */
function channel(every: number, { before, cost }: { before: number; cost: number }) {
  async function* candidates(): AsyncGenerator<ChannelCandidates<Numbered>, void> {
    for (let number = before - 1; number > 0; number -= 1) {
      const entries = number % every === 0 ? [{ id: idOf(number) }] : [];
      yield { entries, cost, reached: idOf(number) };
    }
  }
  return { candidates: candidates(), end: idOf(before) };
}

const matching = async (entries: readonly Numbered[]) => entries;

test('[SE15][SE18] searches in several channels that stop and continue find each message once, the newest first', async () => {
  const found: Id[] = [];
  let stops = 0;
  for (let before: Id | undefined = idOf(100); before !== undefined;) {
    const at = { before: Number(before), cost: MOST_SEARCH_CANDIDATES / 20 };
    const result: FoundEntries<Numbered> = await mergeChannels([channel(3, at), channel(3.5, at)], {
      limit: 50,
      matching,
    });
    found.push(...result.entries.map(({ id }) => id));
    if (result.stoppedAt !== undefined) {
      stops += 1;
      expect(compareIds(result.stoppedAt, before)).toBeLessThan(0);
    }
    before = result.stoppedAt;
  }
  const numbers = Array.from({ length: 99 }, (_, at) => 99 - at);
  const expected = numbers.flatMap((number) => [
    ...(number % 3 === 0 ? [idOf(number)] : []),
    ...(number % 3.5 === 0 ? [idOf(number)] : []),
  ]);
  expect(found).toEqual(expected);
  expect(stops).toBeGreaterThan(3);
});

test('[SE18] a search reads until it is further than where it began, however much that costs', async () => {
  const at = { before: 10, cost: MOST_SEARCH_CANDIDATES };
  const result = await mergeChannels([channel(20, at), channel(20, at)], { limit: 1, matching });
  expect(result).toEqual({ entries: [], stoppedAt: idOf(9) });
});
