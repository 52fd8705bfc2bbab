import type { FileData } from '@hearth/sdk';
import { describe, expect, test } from 'bun:test';
import {
  addressesIn,
  fileLabel,
  hasSpoiler,
  messageLines,
  withFiles,
  type TextStyle,
} from './message-text.ts';

const PICTURE: FileData = {
  id: '42',
  name: 'cat.png',
  bucket: 'attachments',
  metadata: { type: 'image', width: 1600, height: 1200 },
  size: 77_000,
};
const idOf = (address: string) => /^http:\/\/files\/(\d+)$/.exec(address)?.[1];
const PLAIN: TextStyle = { isColoured: false, hasLinks: false, idOf };
const STYLED: TextStyle = { isColoured: true, hasLinks: true, idOf };

/** The lines of a message with `<b>` and `<i>` for bold and italics, `<c>` for code, `<d>` for dim and `</>` for their ends. */
function styledLines(content: string): readonly string[] {
  const names = new Map([
    ['0', '/'],
    ['1', 'b'],
    ['2', 'd'],
    ['3', 'i'],
    ['36', 'c'],
  ]);
  const style = new RegExp(String.raw`\u001B\[([\d;]+)m`, 'g');
  return messageLines({ content }, STYLED).map((line) =>
    line.replaceAll(style, (_all, given: string) => `<${names.get(given) ?? given}>`),
  );
}

describe('[OP52][FD14] a file of a message', () => {
  const message = { content: 'see http://files/42.', attachments: [PICTURE] };

  test.each([
    [PICTURE, '[cat.png · picture 1600×1200 · 77 kB]'],
    [{ ...PICTURE, spoiler: true as const }, '[cat.png · spoiler · picture 1600×1200 · 77 kB]'],
    [
      {
        id: '1',
        name: 'a.zip',
        bucket: 'attachments',
        metadata: { type: 'other' as const },
      },
      '[a.zip]',
    ],
    [
      {
        ...PICTURE,
        name: 'a\u001b[2J\n.txt',
        metadata: { type: 'text' as const },
      },
      '[a�[2J .txt · text · 77 kB]',
    ],
    [{ ...PICTURE, name: '\u200b\u3164' }, '[file · picture 1600×1200 · 77 kB]'],
  ])('a file is described: %j', (data, label) => {
    expect(fileLabel(data)).toBe(label);
  });

  test('a file is shown after its address if the terminal has no links', () => {
    expect(messageLines(message, PLAIN)).toEqual([
      'see http://files/42 [cat.png · picture 1600×1200 · 77 kB].',
    ]);
  });

  test('a file is a link in place of its address if the terminal has links', () => {
    expect(messageLines(message, STYLED)).toEqual([
      'see \u001B]8;;http://files/42\u001B\\[cat.png · picture 1600×1200 · 77 kB]\u001B]8;;\u001B\\.',
    ]);
  });

  test('a file follows its address in a line of tail on a terminal', () => {
    expect(withFiles({ ...message, content: '`http://files/42`\nhttp://files/7' }, idOf)).toBe(
      '`http://files/42 [cat.png · picture 1600×1200 · 77 kB]`\nhttp://files/7',
    );
  });

  test('a file is not shown at an address of another server', () => {
    const content = 'http://elsewhere/42';
    expect(messageLines({ content, attachments: [PICTURE] }, STYLED)).toEqual([content]);
  });
});

describe('[OP53] the text of a message', () => {
  test.each([
    ['plain', ['plain']],
    ['a **bold** word', ['a <b>bold</> word']],
    ['an _italic_ *word*', ['an <i>italic</> <i>word</>']],
    ['2**3**4 and snake_case_name and * a *', ['2**3**4 and snake_case_name and * a *']],
    ['run `rm **x**` now', ['run <c>rm **x**</> now']],
    ['**use `this`**', ['<b>use </><1;36>this</>']],
    ['one\n```js\na **b**\n\nc\n```\ntwo', ['one', '<c>a **b**</>', '', '<c>c</>', 'two']],
    ['http://h/**a**', ['http://h/**a**']],
    ['it was ||the **butler**|| !', ['it was [spoiler] !']],
    ['> **bob**: good \\*evening\\*\n\nhello', ['<d>↪ bob: good *evening*</>', 'hello']],
    ['> [bob](http://h/lobby/1)\n\n**hello**', ['<d>↪ bob</>', '<b>hello</>']],
  ])('%j is shown as %j', (content, lines) => {
    expect(styledLines(content)).toEqual(lines);
  });

  test.each([
    ['*a _b_ **c***', ['<i>a </><3;3>b</><i> </><3;1>c</>']],
    ['[**a**](http://h/b)', ['[<b>a</>](http://h/b)']],
    ['~~a *b*~~', ['~~a <i>b</>~~']],
    ['*a\n\nb*', ['*a', '', 'b*']],
    ['```a`b\n**c**\n~~~', ['```a`b', '<b>c</>', '~~~']],
    ['```\n**a**', ['```', '<b>a</>']],
    ['**a ||b** c||', ['**a [spoiler]']],
    ['> ||\n> the mole\n>\n> again\n> ||', ['> [spoiler]']],
    ['- ||\n  the mole\n  ||', ['- [spoiler]']],
    ['||\u2028\nthe mole\n\u00A0||', ['[spoiler]']],
    ['|| \r\nthe mole\r\n  ||\r\nwas it', ['[spoiler]', 'was it']],
    ['it was ||the\n\n- old\n```\nmole\n```\nhere|| again', ['it was [spoiler] again']],
    ['18. September\n2. Oktober\n2026.', ['18. September', '2. Oktober', '2026.']],
    ['これは**「重要」**です', ['これは<b>「重要」</>です']],
  ])('%j is shown as %j, as other clients read it', (content, lines) => {
    expect(styledLines(content)).toEqual(lines);
  });

  test('[OP72] the text is shown however many marks without an end are in it', () => {
    for (const mark of ['**a ', '_a ', '||a ', '```a`b\n', '```\n~~~a\n', '`a\n', '*_']) {
      const content = mark.repeat(400_000 / mark.length);
      expect(messageLines({ content }, PLAIN).length).toBeGreaterThan(0);
      expect(hasSpoiler(content)).toBe(false);
    }
    const address = `http://a/${'.'.repeat(200_000)}b`;
    expect(addressesIn(address)).toEqual([address]);
  });

  test('the text keeps its marks without styles, but hides spoilers', () => {
    const content = '**bold** `code` _i_ ||s||\n```\nx\n```';
    expect(messageLines({ content }, PLAIN)).toEqual([
      '**bold** `code` _i_ [spoiler]',
      '```',
      'x',
      '```',
    ]);
  });

  test.each([
    '**\u001b[2J**',
    '`\u001b]0;x\u0007`',
    '||a||\u009b',
    'http://h/\u001b\\',
    '> **\u001b**: \u001b\n\nx',
  ])('[OP26] %j cannot act on the terminal', (content) => {
    const sequences = new RegExp(String.raw`\u001B\[[\d;]+m`, 'g');
    const shown = messageLines({ content }, STYLED).join('').replaceAll(sequences, '');
    expect(shown).toContain('�');
    expect(shown).not.toMatch(/\p{Cc}/u);
  });
});

test.each([
  ['see http://a/1, then (https://b/2).', ['http://a/1', 'https://b/2']],
  ['> [bob](http://h/lobby/1): hello\n\nhttp://c', ['http://c']],
  ['nothing, http://', []],
  [
    '（https://example.org/a）です。https://пример.рф/б。',
    ['https://example.org/a', 'https://пример.рф/б'],
  ],
])('the addresses in %j are %j', (content, addresses) => {
  expect(addressesIn(content)).toEqual(addresses);
});

test.each([
  ['it was ||the butler||', true],
  ['**||bold||**', true],
  ['`||code||`', false],
  ['a || b', false],
])('[OP53] whether %j hides something: %p', (content, hides) => {
  expect(hasSpoiler(content)).toBe(hides);
});
