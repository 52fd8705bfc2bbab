import { describe, expect, test } from 'bun:test';
import fc from 'fast-check';
import { LobbyModel, type Step } from '../../test/support/lobby-model.ts';

const usual: readonly Step[] = [
  'post',
  'post',
  'post',
  'deliver',
  'deliver',
  'connect',
  'disconnect',
  'answer',
  'answer late',
  'fail',
  'wait',
];

function stepsOf(...kinds: readonly Step[]): fc.Arbitrary<readonly Step[]> {
  return fc.array(fc.constantFrom(...kinds), { maxLength: 80, size: 'max' });
}

/** The delivered messages, with a mark for each gap. */
async function play(model: LobbyModel, steps: readonly Step[]): Promise<readonly string[]> {
  await model.take('connect');
  for (const step of steps) await model.take(step);
  await model.settle();
  return model.delivered.map((each) => ('gap' in each ? 'gap' : each.message.content));
}

/** Messages that are missing although no gap was reported at their place. */
function silentlyMissing({ delivered, posted, lost }: LobbyModel): readonly string[] {
  const missing: string[] = [];
  let at = 0;
  let isSaid = false;
  for (const each of delivered) {
    if ('gap' in each) {
      isSaid = true;
      continue;
    }
    for (; at < posted.length && posted[at]?.id !== each.message.id; at += 1) {
      const skipped = posted[at];
      if (skipped !== undefined && !isSaid && !lost.has(skipped.id)) missing.push(skipped.content);
    }
    at += 1;
    isSaid = false;
  }
  for (const skipped of posted.slice(at)) {
    if (!isSaid && !lost.has(skipped.id)) missing.push(skipped.content);
  }
  return missing;
}

function expectOrder(model: LobbyModel): void {
  const contents = model.delivered.flatMap((each) => ('gap' in each ? [] : [each.message.content]));
  const order = new Map(model.posted.map(({ content }, index) => [content, index]));
  const places = contents.map((content) => order.get(content) ?? -1);
  expect(places).toEqual([...new Set(places)].toSorted((one, other) => one - other));
}

describe('whatever happens to the connection, to the history and to the order of answers,', () => {
  test('every message is delivered once and in order if the instance keeps them all', async () => {
    const replays = fc.constantFrom(0, 1, 3, 1_000);
    await fc.assert(
      fc.asyncProperty(replays, stepsOf(...usual), async (replay, steps) => {
        const model = new LobbyModel({ history: 10_000, replay });
        const delivered = await play(model, steps);
        expect(delivered).toEqual(model.posted.map(({ content }) => content));
      }),
      { numRuns: 150 },
    );
  });

  test('no message is missing silently, delivered twice or out of order, even after restarts', async () => {
    const sizes = fc.record({
      history: fc.constantFrom(0, 2, 5, 10_000),
      replay: fc.constantFrom(0, 2, 1_000),
    });
    const steps = stepsOf(...usual, ...usual, 'restart', 'crash', 'remove');
    await fc.assert(
      fc.asyncProperty(sizes, steps, async (size, taken) => {
        const model = new LobbyModel(size);
        await play(model, taken);
        expectOrder(model);
        expect(silentlyMissing(model)).toEqual([]);
      }),
      { numRuns: 300 },
    );
  });

  test('no gap is reported after a restart that lost nothing', async () => {
    const steps = stepsOf(...usual, ...usual, 'restart');
    await fc.assert(
      fc.asyncProperty(steps, async (taken) => {
        const model = new LobbyModel({ history: 10_000, replay: 1_000 });
        await model.take('post');
        const delivered = await play(model, taken);
        expect(delivered).not.toContain('gap');
        expect(silentlyMissing(model)).toEqual([]);
      }),
      { numRuns: 100 },
    );
  });
});
