import { describe, expect, test } from 'bun:test';
import fc from 'fast-check';
import { ConversationModel, noteOf, type Step } from '../../test/support/conversation-model.ts';

type Plain = Exclude<Step['kind'], 'edit' | 'delete' | 'delete many' | 'react'>;

const plain = (...kinds: readonly Plain[]): fc.Arbitrary<Step> =>
  fc.constantFrom(...kinds).map((kind) => ({ kind }));

const change: fc.Arbitrary<Step> = fc.record({
  kind: fc.constantFrom('edit', 'delete', 'delete many', 'react'),
  number: fc.nat(100),
});

const usual: readonly fc.Arbitrary<Step>[] = [
  plain('post'),
  plain('post', 'noise'),
  change,
  plain('deliver'),
  plain('connect', 'disconnect', 'wait'),
  plain('answer', 'answer late', 'fail'),
];

function stepsOf(...kinds: readonly fc.Arbitrary<Step>[]): fc.Arbitrary<readonly Step[]> {
  return fc.array(fc.oneof(...kinds), { maxLength: 80, size: 'max' });
}

async function play(model: ConversationModel, steps: readonly Step[]): Promise<void> {
  await model.take({ kind: 'connect' });
  for (const step of steps) await model.take(step);
  await model.settle();
}

/** Messages that were delivered twice, or again after they were deleted. */
function repeated({ reported }: ConversationModel): readonly string[] {
  const seen = new Set<string>();
  return reported.filter((line) => {
    const [what = '', id = ''] = line.split(' ');
    if (what === 'edited' || what === 'reacted') return false;
    const isRepeated = what === 'new' && seen.has(id);
    seen.add(id);
    return isRepeated;
  });
}

describe('whatever happens to the connection, to the history and to the order of answers,', () => {
  test.each([
    ['', stepsOf(...usual)],
    ['restarts of the instance included, ', stepsOf(...usual, ...usual, plain('restart'))],
  ])(
    '%sa reader of a conversation ends up with every message once, in order and in its newest version',
    async (_what, steps) => {
      const replays = fc.constantFrom(0, 1, 3, 1_000);
      await fc.assert(
        fc.asyncProperty(replays, steps, async (replay, taken) => {
          const model = new ConversationModel(replay);
          await play(model, taken);
          expect(model.shown).toEqual([...model.kept]);
          expect(repeated(model)).toEqual([]);
        }),
        { numRuns: 300 },
      );
    },
  );

  test('[SK36] and if the history has every message, no gap is reported, whatever was deleted', async () => {
    const replays = fc.constantFrom(0, 1, 3, 1_000);
    const steps = stepsOf(...usual, ...usual, change, plain('restart'));
    await fc.assert(
      fc.asyncProperty(replays, steps, async (replay, taken) => {
        const model = new ConversationModel(replay, true);
        await play(model, taken);
        expect(model.shown).toEqual([...model.kept]);
        expect(repeated(model)).toEqual([]);
        expect(model.gaps).toBe(0);
      }),
      { numRuns: 300 },
    );
  });
});

/** A conversation that delivered messages 10, 13 and 16, was away, and whose next answers are held back. */
async function back(): Promise<ConversationModel> {
  const model = new ConversationModel(0);
  await take(model, 'connect', 'post', 'post', 'post', 'deliver', 'deliver', 'deliver');
  await take(model, 'disconnect', 'post', 'connect');
  expect(model.reported.splice(0)).toEqual(['new 10', 'new 13', 'new 16']);
  return model;
}

async function take(model: ConversationModel, ...steps: readonly (Plain | Step)[]): Promise<void> {
  for (const step of steps) await model.take(typeof step === 'string' ? { kind: step } : step);
}

const edit = (number: number): Step => ({ kind: 'edit', number });
const remove = (number: number): Step => ({ kind: 'delete', number });

describe('while missed messages are being read,', () => {
  test('a live message that is deleted is not delivered', async () => {
    const model = await back();
    await take(model, 'post', 'deliver', remove(4), 'deliver', 'answer');
    expect(model.reported).toEqual(['deleted 22', 'new 19']);
    expect(model.isCurrent).toBe(true);
  });

  test('a missed message that is deleted is not delivered, although the answer still has it', async () => {
    const model = await back();
    await take(model, remove(3), 'deliver', 'answer');
    expect(model.reported).toEqual(['deleted 19']);
  });

  test('a missed message that is edited is delivered once, in its newest version', async () => {
    const model = await back();
    await take(model, edit(3), 'deliver', 'answer');
    expect(model.reported).toEqual(['new 19']);
    expect(model.shown.at(-1)).toMatchObject({ version: 1 });
  });

  test('an event that is missing in between is also read from the history', async () => {
    const model = await back();
    await take(model, 'post', 'lose', 'post', 'deliver', 'answer');
    expect(model.reported.splice(0)).toEqual(['new 19']);
    await take(model, 'answer');
    expect(model.reported).toEqual(['new 22', 'new 25']);
  });

  test('changes of delivered messages are applied at once', async () => {
    const model = await back();
    await take(model, edit(0), remove(1), 'deliver', 'deliver');
    expect(model.reported).toEqual(['edited 10', 'deleted 13']);
    await take(model, 'answer');
    expect(model.reported).toEqual(['edited 10', 'deleted 13', 'new 19']);
    expect(model.shown).toEqual([...model.kept]);
  });
});

describe('after a stream is lost, messages are read again:', () => {
  test('an edit and a deletion in the meantime are found', async () => {
    const model = new ConversationModel(0);
    await take(model, 'connect', 'post', 'post', 'post', 'deliver', 'deliver', 'deliver');
    await take(model, 'disconnect', edit(1), remove(0), 'connect');
    // The second answer shows that a message older than the first one is stored.
    await take(model, 'answer', 'answer');
    expect(model.reported.slice(3)).toEqual(['edited 13', 'deleted 10']);
    expect(model.gaps).toBe(0);
  });

  test('the deletion of the last message is also found', async () => {
    const model = new ConversationModel(0);
    await take(model, 'connect', 'post', 'post', 'deliver', 'deliver');
    await take(model, 'disconnect', remove(1), 'post', 'connect', 'answer');
    expect(model.reported.slice(2)).toEqual(['deleted 13', 'new 16']);
    expect(model.gaps).toBe(0);
  });
});

test('an event of an unknown kind counts, so that nothing seems to be missing', async () => {
  const model = new ConversationModel(0);
  await take(model, 'connect', 'noise', 'post', 'deliver', 'deliver', 'deliver');
  // Nothing had to be requested.
  expect([model.reported, model.isCurrent, model.feed.place?.s]).toEqual([['new 10'], true, 2]);
});

test('a version older than the delivered one is ignored', async () => {
  const model = new ConversationModel(0);
  await take(model, 'connect', 'post', edit(0), edit(0), 'deliver', 'deliver', 'deliver');
  model.feed.receive({ op: 'MESSAGE_UPDATE', s: 4, d: { ...noteOf(10), version: 1 } });
  expect(model.reported).toEqual(['new 10', 'edited 10', 'edited 10']);
  expect(model.shown).toMatchObject([{ version: 2 }]);
});

test('messages that are still being read when the feed leaves are not delivered', async () => {
  const model = await back();
  await take(model, 'disconnect', 'answer', 'post');
  expect(model.reported).toEqual([]);
  await model.settle();
  expect(model.shown).toEqual([...model.kept]);
});
