import { expect, test } from 'bun:test';
import { isOfRemoved, removalsOf, withoutExcerpt } from './removal.ts';

const removal = { noun: 'MESSAGE', id: '12' };

test.each([
  ['MESSAGE_DELETE', { id: '12' }, [removal]],
  ['POST_DELETE', { id: '3', why: 'spam' }, [{ noun: 'POST', id: '3' }]],
  ['MESSAGE_CREATE', { id: '12' }, []],
  ['MESSAGES_DELETE', { ids: ['12'] }, []],
  [
    'MESSAGE_DELETE_MANY',
    { channel_id: '1', ids: ['12', '3'] },
    [removal, { noun: 'MESSAGE', id: '3' }],
  ],
  ['MESSAGE_DELETE_MANY', { id: '12' }, []],
  ['MESSAGE_DELETE_MANY', { ids: '12' }, []],
])('%s with %j removes %j', (op, d, removed) => {
  expect(removalsOf({ op, d })).toEqual(removed);
});

test.each([
  ['{"op":"MESSAGE_CREATE","s":1,"d":{"id":"12","content":"a"}}', true],
  ['{"op":"MESSAGE_UPDATE","t":"c:1","s":1,"d":{"id":"12"}}', true],
  ['{"op":"MESSAGE_CREATE","s":1,"d":{"id":"123"}}', false],
  ['{"op":"POST_CREATE","s":1,"d":{"id":"12"}}', false],
  ['{"op":"POST_CREATE","s":1,"d":{"id":"3","message":{"id":"12"}}}', false],
  ['{"op":"MESSAGE_CREATE","s":1,"d":{"id":"3","content":"\\"id\\":\\"12\\""}}', false],
])('that %s is about the removed message is %p', (text, isRemoved) => {
  expect(isOfRemoved(text, removal)).toBe(isRemoved);
});

test.each([
  ['{"op":"CHANNEL_CREATE","t":"c:1","s":1,"d":{"id":"12"}}', true],
  ['{"op":"MESSAGE_CREATE","t":"c:1","s":1,"d":{"id":"3","channel_id":"12"}}', true],
  ['{"op":"REACTION_ADD","t":"c:1","s":1,"d":{"channel_id":"12","message_id":"3"}}', true],
  ['{"op":"MESSAGE_CREATE","t":"c:1","s":1,"d":{"id":"12","channel_id":"3"}}', false],
])('that %s is about the removed channel is %p', (text, isRemoved) => {
  expect(isOfRemoved(text, { noun: 'CHANNEL', id: '12' })).toBe(isRemoved);
});

test('a reply to what was removed no longer shows anything of it', () => {
  const reply = (id: string) =>
    `{"op":"MESSAGE_CREATE","t":"c:1","s":1,"d":{"id":"13","reply_to":{"id":"${id}","author":"ada","excerpt":"a"}}}`;
  expect(withoutExcerpt(reply('12'), removal)).toEqual({
    op: 'MESSAGE_CREATE',
    d: { id: '13', reply_to: { id: '12' } },
  });
  expect(withoutExcerpt(reply('1'), removal)).toBeUndefined();
  expect(withoutExcerpt('{"op":"MESSAGE_CREATE","s":1,"d":{"id":"12"}}', removal)).toBeUndefined();
  expect(
    withoutExcerpt('{"op":"POST_CREATE","s":1,"d":{"reply_to":{"id":"12"}}}', removal),
  ).toBeUndefined();
});
