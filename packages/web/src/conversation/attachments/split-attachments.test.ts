import { describe, expect, test } from 'bun:test';
import { splitAttachments } from './split-attachments.ts';

const HOME = 'http://127.0.0.1:7161/';
const idOf = (url: string) =>
  url.startsWith(HOME) && /^\d+$/.test(url.slice(HOME.length)) ? url.slice(HOME.length) : undefined;
const split = (content: string) => splitAttachments(content, idOf);

describe('the files of a message', () => {
  test('files are the lines that consist of an address of the instance', () => {
    expect(split(`look\n${HOME}12\n  ${HOME}34  \nend`)).toEqual({
      text: 'look\nend',
      ids: ['12', '34'],
    });
    expect(split(`${HOME}12`)).toEqual({ text: '', ids: ['12'] });
    expect(split(`${HOME}12\r\n${HOME}12`)).toEqual({ text: '', ids: ['12'] });
  });

  test.each([
    `see ${HOME}12`,
    `${HOME}12 there`,
    `<${HOME}12>`,
    'http://127.0.0.1:7162/12',
    `${HOME}abc`,
    'https://example.org/12',
    `\`\`\`\n${HOME}12\n\`\`\``,
    `~~~\n${HOME}12`,
  ])('no files are found in %j', (content) => {
    expect(split(content)).toEqual({ text: content, ids: [] });
  });

  test('files are found after a code block', () => {
    expect(split(`\`\`\`\na\n\`\`\`\n${HOME}12`).ids).toEqual(['12']);
  });

  test('files are at most twenty; the others stay links', () => {
    const lines = Array.from({ length: 25 }, (_, index) => `${HOME}${index}`);
    const { text, ids } = split(lines.join('\n'));
    expect(ids).toHaveLength(20);
    expect(text.split('\n')).toEqual(lines.slice(20));
  });
});
