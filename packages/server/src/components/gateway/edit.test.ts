import { expect, test } from 'bun:test';
import { edited, editOf, withExcerpt } from './edit.ts';

const d = { id: '12', content: 'new', version: 2 };

test.each([
  ['MESSAGE_UPDATE', d, { noun: 'MESSAGE', id: '12', d }],
  ['MESSAGE_CREATE', d, undefined],
  ['MESSAGES_UPDATE', { ids: ['12'] }, undefined],
])('%s with %j changes %j', (op, data, edit) => {
  expect(editOf({ op, d: data })).toEqual(edit);
});

test.each([
  ['{"op":"MESSAGE_CREATE","s":1,"d":{"id":"12","content":"old"}}', { op: 'MESSAGE_CREATE', d }],
  [
    '{"op":"MESSAGE_CREATE","s":1,"d":{"id":"12","content":"old","nonce":"n"}}',
    { op: 'MESSAGE_CREATE', d: { ...d, nonce: 'n' } },
  ],
  ['{"op":"MESSAGE_UPDATE","t":"c:1","s":1,"d":{"id":"12"}}', { op: 'MESSAGE_UPDATE', d }],
  ['{"op":"MESSAGE_DELETE","s":1,"d":{"id":"12"}}', undefined],
  ['{"op":"REACTION_ADD","s":1,"d":{"id":"12","count":1}}', undefined],
  ['{"op":"MESSAGE_CREATE","s":1,"d":{"id":"123","content":"old"}}', undefined],
  ['{"op":"POST_CREATE","s":1,"d":{"id":"12"}}', undefined],
])('%s is sent as %j after an edit', (text, event) => {
  expect(edited(text, { noun: 'MESSAGE', id: '12', d })).toEqual(event);
});

test('[CM10] a reply shows what it replies to as that is after an edit', () => {
  const edit = { noun: 'MESSAGE', id: '12', d: { id: '12', content: '🌱'.repeat(120) } };
  const reply = (target: string) =>
    `{"op":"MESSAGE_CREATE","t":"c:1","s":1,"d":{"id":"13","reply_to":{"id":"${target}","author":"ada","excerpt":"a"}}}`;
  expect(withExcerpt(reply('12'), edit)).toEqual({
    op: 'MESSAGE_CREATE',
    d: { id: '13', reply_to: { id: '12', author: 'ada', excerpt: '🌱'.repeat(100) } },
  });
  const excerptAfter = (d: object) =>
    withExcerpt(reply('12'), { ...edit, d: { id: '12', ...d } })?.d;
  const shown = (excerpt: string) => ({ reply_to: { excerpt } });
  expect(excerptAfter({ content: `It was ||the\n\n${'mole '.repeat(300)}fox||` })).toMatchObject(
    shown('It was ▇▇▇'),
  );
  // The title of a post is no Markdown.
  expect(excerptAfter({ content: '1 *2* 3', kind: 'post' })).toMatchObject(shown('1 *2* 3'));
  expect(withExcerpt(reply('1'), edit)).toBeUndefined();
  expect(withExcerpt(reply('12'), { ...edit, d: { id: '12' } })).toBeUndefined();
  expect(withExcerpt('{"op":"MESSAGE_CREATE","s":1,"d":{"id":"12"}}', edit)).toBeUndefined();
});
