import { expect, test } from 'bun:test';
import { CleanUp } from './clean-up.ts';

test('what is to be done at the end is done once, the last first', () => {
  const done: string[] = [];
  const cleanUp = new CleanUp();
  cleanUp.defer(() => void done.push('first'));
  cleanUp.defer(() => void done.push('second'));
  cleanUp.dispose();
  cleanUp.dispose();
  expect(done).toEqual(['second', 'first']);
});
