import type { Id } from '@hearth/protocol';
import { runs } from '@hearth/testing/runs';
import { expect, test } from 'bun:test';
import fc from 'fast-check';
import { compareHeads, mergeHeads, type Head } from './merge-heads.ts';

// Few different ranks, so that many are equal.
const channel = fc.array(fc.nat({ max: 30 }), { maxLength: 60 });

test('[LS6] the first posts of many channels together are those of one list, however they are spread', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(channel, { maxLength: 40 }),
      fc.integer({ min: 1, max: 80 }),
      async (ranks, wanted) => {
        let next = 0;
        const channels = new Map(
          ranks.map((own, at): [Id, readonly Head[]] => {
            const heads = own.map((rank): Head => {
              next += 7_919;
              return { id: String(next % 99_991).padStart(5, '0'), rank };
            });
            // Guarantee: made of digits.
            return [String(at) as Id, heads.toSorted(compareHeads)];
          }),
        );
        let readings = 0;
        const read = async (ids: readonly Id[], each: number) => {
          readings += 1;
          return new Map(ids.map((id) => [id, (channels.get(id) ?? []).slice(0, each)]));
        };
        const merged = await mergeHeads([...channels.keys()], { wanted, read });
        const all = [...channels.values()].flat().toSorted(compareHeads);
        expect(merged).toEqual(all.slice(0, wanted));
        expect(readings).toBeLessThanOrEqual(Math.ceil(Math.log2(wanted)) + 1);
      },
    ),
    { numRuns: runs(200) },
  );
});

test('[LS6] few posts are read of channels that are alike, and more of one that has them all', async () => {
  const wanted = 1_000;
  const ids = Array.from({ length: 100 }, (_, at) => String(at) as Id);
  const count = async (headOf: (at: number, place: number) => number) => {
    let posts = 0;
    let readings = 0;
    await mergeHeads(ids, {
      wanted,
      read: async (open, each) => {
        readings += 1;
        posts += open.length * each;
        return new Map(
          open.map((id) => [
            id,
            Array.from({ length: each }, (_, place) => ({
              id: `${place} ${id}`,
              rank: headOf(Number(id), place),
            })),
          ]),
        );
      },
    });
    return { posts, readings };
  };
  expect(await count((_, place) => -place)).toEqual({ posts: 1_500, readings: 1 });
  expect(await count((at, place) => (at === 7 ? 1e6 : 0) - place)).toEqual({
    posts: 2_500,
    readings: 2,
  });
});
