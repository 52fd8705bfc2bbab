import { makePicture } from './picture.ts';
import type { WebInstance } from './web-instance.ts';

/** Posts one of everything that the lobby can show, the last as `the end of the showcase`. */
export async function postShowcase(instance: WebInstance): Promise<void> {
  const picture = await instance.store(makePicture(77, 400, 300), 'view.png');
  const text = await instance.store('first line\nsecond line\n', 'notes.txt');
  const other = await instance.store(Buffer.from([0, 1, 2, 3]), 'data.bin');
  const contents = [
    '# A heading\n\nWith **bold**, *slanted*, ~~struck~~ and `code`, and [a link](https://example.com).',
    '- a list\n- of two\n\n1. and\n2. one with numbers\n\n- [x] done\n- [ ] not done',
    '> quoted\n\nand answered',
    '```ts\nconst answer: number = 42;\nexport function longEnoughToScroll(parameter: string): string { return parameter; }\n```',
    '| who | what | when | where it was, in many words |\n|---|---|---|---|\n| Ada | engine | 1843 | London |',
    `A picture:\n${picture}`,
    text,
    other,
    'A long word: ' + 'Donaudampfschifffahrtsgesellschaftskapitän'.repeat(4),
    'שלום, and back to English, и по-русски, 日本語も 😀',
  ];
  for (const [index, content] of contents.entries())
    await instance.post(content, index % 3 === 0 ? 'Ada' : 'Alan');
  await instance.post('the end of the showcase', 'Ada');
}
