import { expect, test } from 'bun:test';
import { Writable } from 'node:stream';
import { outputTo } from './output.ts';

/** A stream that takes a chunk only when asked to, or fails with an error of this code. */
function streamOf(failureCode?: string) {
  const waiting: (() => void)[] = [];
  const taken: string[] = [];
  const stream = new Writable({
    decodeStrings: false,
    write(chunk, _encoding, done) {
      waiting.push(() => {
        taken.push(String(chunk));
        const error = Object.assign(new Error('refused'), { code: failureCode });
        done(failureCode === undefined ? null : error);
      });
    },
  });
  return { stream, taken, takeOne: () => waiting.shift()?.() };
}

test('a flush waits until everything is taken, in order', async () => {
  const { stream, taken, takeOne } = streamOf();
  const output = outputTo(stream);
  output.write('a');
  output.write('b');
  let flushed = false;
  const flush = output.flush().then((failure) => {
    flushed = true;
    return failure;
  });
  takeOne();
  await new Promise(setImmediate);
  expect(flushed).toBe(false);
  takeOne();
  expect(await flush).toBeUndefined();
  expect(taken).toEqual(['a', 'b']);
});

test('a reader that went away is no failure', async () => {
  const { stream, takeOne } = streamOf('EPIPE');
  const output = outputTo(stream);
  output.write('a');
  output.write('b');
  takeOne();
  expect(await output.flush()).toBeUndefined();
  output.write('c');
  expect(await output.flush()).toBeUndefined();
});

test('a full disk is a failure', async () => {
  const { stream, takeOne } = streamOf('ENOSPC');
  const output = outputTo(stream);
  output.write('a');
  takeOne();
  expect(await output.flush()).toMatchObject({ code: 'ENOSPC' });
});
