import { expect, test } from 'bun:test';
import { InTurn } from './in-turn.ts';

test('[WC137] quick changes are sent one after the other, and of those of one thing the newest', async () => {
  const turns = new InTurn();
  const first = Promise.withResolvers<string>();
  const sent: string[] = [];
  const send = (name: string, answer: Promise<string>) => () => {
    sent.push(name);
    return answer;
  };
  const outcomes = [turns.run('ada', send('ada 1', first.promise))];
  await Promise.resolve();
  outcomes.push(
    turns.run('ada', send('ada 2', Promise.resolve('two'))),
    turns.run('ada', send('ada 3', Promise.reject(new Error('refused')))),
    turns.run('grace', send('grace 1', Promise.resolve('one'))),
  );
  expect(sent).toEqual(['ada 1']);
  first.resolve('first');
  const settled = await Promise.allSettled(outcomes);
  expect(sent).toEqual(['ada 1', 'ada 3', 'grace 1']);
  expect(settled.map((each) => (each.status === 'fulfilled' ? each.value : 'refused'))).toEqual([
    'first',
    undefined,
    'refused',
    'one',
  ]);
});
