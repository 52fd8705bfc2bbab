import { expect, test } from 'bun:test';
import { Keyboard, TAB } from './keyboard.ts';

test.each([
  [['a', '\t'], 'a\t'],
  [['a\tb'], `a${TAB}b`],
  [['\u001B[200~', '\t', '\u001B[201~'], TAB],
])('[OP57] in %j, only a tab that is typed on its own is a key: %j', async (chunks, keys) => {
  const keyboard = new Keyboard({ setRawMode: () => process.stdin });
  for (const chunk of chunks) keyboard.write(chunk);
  keyboard.end();
  let received = '';
  for await (const piece of keyboard) received += String(piece);
  expect(received).toBe(keys);
});
