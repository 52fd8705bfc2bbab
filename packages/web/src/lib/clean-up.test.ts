import { expect, test } from 'bun:test';
import { CleanUp } from './clean-up.ts';

test('clean-up steps run once, the last one first', () => {
  const done: string[] = [];
  const cleanUp = new CleanUp();
  cleanUp.defer(() => void done.push('first'));
  cleanUp.defer(() => void done.push('second'));
  cleanUp.dispose();
  cleanUp.dispose();
  expect(done).toEqual(['second', 'first']);
});
