import { expect, test } from 'bun:test';
import type { BusEvent } from '../../ports/bus/bus.ts';
import {
  afterRemoval,
  afterReplacing,
  removedBy,
  replacedBy,
  replayedOf,
} from './replayed-event.ts';

const message = { noun: 'MESSAGE', id: '12' };

/** Returns what is kept of an event of the lobby. */
function keptOf(event: BusEvent) {
  const { op, d } = event;
  return replayedOf(event, JSON.stringify({ op, s: 1, d }));
}

test.each([
  ['MESSAGE_DELETE', { id: '12' }, [message]],
  ['POST_DELETE', { id: '3', why: 'spam' }, [{ noun: 'POST', id: '3' }]],
  ['MESSAGE_CREATE', { id: '12' }, []],
  ['MESSAGES_DELETE', { ids: ['12'] }, []],
  [
    'MESSAGE_DELETE_MANY',
    { channel_id: '1', ids: ['12', '3'] },
    [message, { noun: 'MESSAGE', id: '3' }],
  ],
  ['MESSAGE_DELETE_MANY', { id: '12' }, []],
  ['MESSAGE_DELETE_MANY', { ids: '12' }, []],
])('%s with %j removes %j', (op, d, removed) => {
  expect(removedBy({ op, d })).toEqual(removed);
});

test.each([
  ['MESSAGE_UPDATE', { id: '12', content: 'new' }, [message]],
  ['MESSAGE_CREATE', { id: '12', content: 'new' }, []],
  ['MESSAGES_UPDATE', { ids: ['12'] }, []],
])('%s with %j replaces %j', (op, d, replaced) => {
  expect(replacedBy({ op, d })).toEqual(replaced);
});

test.each([
  ['MESSAGE_CREATE', { id: '12', content: 'a' }, true],
  ['MESSAGE_UPDATE', { id: '12' }, true],
  ['MESSAGE_CREATE', { id: '123' }, false],
  ['POST_CREATE', { id: '12' }, false],
  ['MESSAGES_CREATE', { id: '12' }, false],
  ['POST_CREATE', { id: '3', message: { id: '12' } }, false],
  ['MESSAGE_CREATE', { id: '3', content: '"id":"12"' }, false],
])('[LB24] that %s with %j is about the removed message is %p', (op, d, isRemoved) => {
  const by = { op: 'MESSAGE_DELETE', d: { id: '12' } };
  expect(afterRemoval(keptOf({ op, d }), message, by)).toBe(isRemoved ? by : undefined);
});

test.each([
  ['CHANNEL_CREATE', { id: '12' }, true],
  ['MESSAGE_CREATE', { id: '3', channel_id: '12' }, true],
  ['REACTION_ADD', { channel_id: '12', message_id: '3' }, true],
  ['MESSAGE_CREATE', { id: '12', channel_id: '3' }, false],
])('[GC6][GC6a] that %s with %j is about the removed channel is %p', (op, d, isRemoved) => {
  const by = { op: 'CHANNEL_DELETE', d: { id: '12' } };
  const channel = { noun: 'CHANNEL', id: '12' };
  expect(afterRemoval(keptOf({ op, d }), channel, by)).toBe(isRemoved ? by : undefined);
});

const d = { id: '12', content: 'new', version: 2 };
const edit = { op: 'MESSAGE_UPDATE', d, note: { quoted: { excerpt: 'new' } } };

test.each([
  ['MESSAGE_CREATE', { id: '12', content: 'old' }, d],
  ['MESSAGE_CREATE', { id: '12', content: 'old', nonce: 'n' }, { ...d, nonce: 'n' }],
  ['MESSAGE_UPDATE', { id: '12' }, d],
  ['MESSAGE_DELETE', { id: '12' }, undefined],
  ['REACTION_ADD', { id: '12', count: 1 }, undefined],
  ['MESSAGE_CREATE', { id: '123', content: 'old' }, undefined],
  ['POST_CREATE', { id: '12' }, undefined],
])('[ST12] %s with %j is sent with %j after an edit', (op, before, after) => {
  const expected = after && { ...edit, op, d: after };
  expect(afterReplacing(keptOf({ op, d: before }), message, edit)).toEqual(expected);
});

/** An event that shows something of a message. */
function reply(id: string, op = 'MESSAGE_CREATE'): BusEvent {
  const data = { id: '13', reply_to: { id, author: 'ada', excerpt: 'old' } };
  return { op, d: data, note: { quotes: { id, member: 'reply_to' } } };
}

test('[LB20] the data of a reply is kept in its text alone, whose bytes are counted', () => {
  const { text, ...rest } = keptOf(reply('12'));
  expect(text).toContain('"excerpt":"old"');
  expect(JSON.stringify(rest)).not.toContain('excerpt');
});

test('[CM10] a reply shows what it replies to as that is after an edit', () => {
  const after = (event: BusEvent, by: BusEvent) => afterReplacing(keptOf(event), message, by);
  expect(after(reply('12'), edit)?.d).toEqual({
    id: '13',
    reply_to: { id: '12', author: 'ada', excerpt: 'new' },
  });
  expect(after(reply('1'), edit)).toBeUndefined();
  expect(after(reply('12', 'POST_CREATE'), edit)).toBeUndefined();
  expect(after(reply('12'), { ...edit, note: {} })).toBeUndefined();
});

test('[CM10] a reply to what was removed no longer shows anything of it, whatever else changes', () => {
  const by = { op: 'MESSAGE_DELETE', d: { id: '12' } };
  const after = (event: BusEvent) => afterRemoval(keptOf(event), message, by);
  const bare = after(reply('12'));
  expect(bare?.d).toEqual({ id: '13', reply_to: { id: '12' } });
  expect(after(reply('1'))).toBeUndefined();
  expect(after(reply('12', 'POST_CREATE'))).toBeUndefined();
  const edited = { ...reply('12', 'MESSAGE_UPDATE'), d: { id: '13', reply_to: { id: '12' } } };
  const own = { noun: 'MESSAGE', id: '13' };
  const changed = bare && afterReplacing(keptOf(bare), own, edited);
  expect(changed?.d).toEqual({ id: '13', reply_to: { id: '12' } });
});
