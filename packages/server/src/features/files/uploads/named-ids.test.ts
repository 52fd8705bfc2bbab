import { expect, test } from 'bun:test';
import { namedIds } from './named-files.ts';

const ID = '2680231098724220450352726016';

test.each([
  [`http://127.0.0.1:7161/${ID}`, [ID]],
  [`https://chat.example.org/files/attachments/${ID}`, [ID]],
  [
    `[photo](https://files.example.org/media/${ID}?size=400) and https://f/attachments/2/download`,
    [ID, '2'],
  ],
  [`${ID}`, []],
  [`https://f/${ID}0000000000000000000`, []],
  ['https://f/012', []],
  ['good evening', []],
])('[OP50] the addresses in %j may name the uploads %j', (text, ids) => {
  expect([...namedIds(text)].map(String)).toEqual(ids);
});
