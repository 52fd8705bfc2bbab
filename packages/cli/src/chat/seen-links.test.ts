import { parseId } from '@hearth/protocol';
import { expect, test } from 'bun:test';
import { SeenLinks } from './seen-links.ts';

const content = 'http://a/1 and http://a/2';

test('[OP54] addresses are counted from the last one that was shown', () => {
  const links = new SeenLinks();
  expect(links.last(1)).toBeUndefined();
  links.add({ content });
  links.add({ content: 'http://a/3' });
  expect([1, 2, 3, 4].map((count) => links.last(count))).toEqual([
    'http://a/3',
    'http://a/2',
    'http://a/1',
    undefined,
  ]);
});

test('[OP54] the addresses of a removed message are forgotten', () => {
  const links = new SeenLinks();
  const id = parseId('7');
  if (id === undefined) throw new Error('an identifier');
  links.add({ content: 'http://a/0' });
  links.add({ id, content });
  links.remove(id);
  expect([links.last(1), links.last(2)]).toEqual(['http://a/0', undefined]);
});
