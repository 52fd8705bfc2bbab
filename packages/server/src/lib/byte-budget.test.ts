import { expect, test } from 'bun:test';
import { ByteBudget } from './byte-budget.ts';

const settle = () => new Promise((resolve) => setTimeout(resolve));

test('[FS42] a caller who needs more than is free waits for it, and callers are served in order', async () => {
  const budget = new ByteBudget(10);
  const served: string[] = [];
  const take = async (name: string, bytes: number) => {
    const share = await budget.take(bytes);
    served.push(name);
    return share;
  };
  const first = await take('first', 6);
  const large = take('large', 8);
  const small = take('small', 2);
  await settle();
  // Otherwise small ones could keep a large one waiting forever.
  expect(served).toEqual(['first']);
  first[Symbol.dispose]();
  first[Symbol.dispose]();
  await settle();
  expect(served).toEqual(['first', 'large', 'small']);
  (await large)[Symbol.dispose]();
  (await small)[Symbol.dispose]();
  await take('all', 10);
  expect(served).toHaveLength(4);
});
