import { expect, test } from 'bun:test';
import { outputTo } from './output.ts';

/** Accepts `room` texts, then fails with an error of this code. */
function writerWithRoom(room: number, code: string) {
  const taken: string[] = [];
  const write = (text: string) => {
    if (taken.length === room) throw Object.assign(new Error('refused'), { code });
    taken.push(text);
  };
  return { taken, write };
}

test('texts are written in order', () => {
  const { taken, write } = writerWithRoom(2, 'ENOSPC');
  const output = outputTo(write);
  output.write('a');
  output.write('b');
  expect(taken).toEqual(['a', 'b']);
  expect(output.failure()).toBeUndefined();
});

test('a reader that goes away is not a failure', () => {
  const output = outputTo(writerWithRoom(1, 'EPIPE').write);
  for (const text of ['a', 'b', 'c']) output.write(text);
  expect(output.failure()).toBeUndefined();
});

test('a full disk is a failure', () => {
  const output = outputTo(writerWithRoom(1, 'ENOSPC').write);
  for (const text of ['a', 'b']) output.write(text);
  expect(output.failure()).toMatchObject({ code: 'ENOSPC' });
});
