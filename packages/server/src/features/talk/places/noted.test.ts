import { formatId, type Id, type StreamEvent } from '@hearth/protocol';
import { expect, test } from 'bun:test';
import { ANY_POST, hiddenWith } from '../../communities/structure/structure.ts';
import { noted } from './noted.ts';

const id = (sequence: number): Id => formatId({ seconds: 1, instanceId: 1, sequence });
const [community, channel, post] = [id(1), id(2), id(3)];

const message = {
  id: id(10),
  channel_id: channel,
  author: 'ada',
  content: 'a',
  created_at: 1,
  version: 1,
};

type MessageEvent = Extract<StreamEvent, { op: 'MESSAGE_CREATE' | 'MESSAGE_UPDATE' }>;

function noteOf(event: StreamEvent) {
  return noted(event, community).note;
}

test('[CO29] what a message names can be hidden: channels, and posts whose channel no event says', () => {
  const names = (named: Partial<MessageEvent['d']>) =>
    noteOf({ op: 'MESSAGE_CREATE', d: { ...message, ...named } })?.names;
  expect(names({})).toBeUndefined();
  expect(names({ mention_channels: [id(7), id(8)] })).toEqual([id(7), id(8)]);
  expect(names({ mention_posts: [{ id: post, title: 'A' }] })).toEqual([post, ANY_POST]);
  expect(names({ kind: 'post', post_id: post })).toEqual([post, community]);
  // Cards of other communities stay when a channel is hidden.
  const hidden = hiddenWith(channel, id(9));
  expect(hidden).toContain(ANY_POST);
  expect(hidden).not.toContain(community);
  expect(hiddenWith(channel, community)).toContain(community);
});

test('[CM10] an edit says what replies show of the message from then on', () => {
  const excerptOf = (d: Partial<MessageEvent['d']>) =>
    noteOf({ op: 'MESSAGE_UPDATE', d: { ...message, ...d } })?.quoted;
  expect(excerptOf({ content: '🌱'.repeat(120) })).toEqual({ excerpt: '🌱'.repeat(100) });
  const spoiler = `It was ||the\n\n${'mole '.repeat(300)}fox||`;
  expect(excerptOf({ content: spoiler })).toEqual({ excerpt: 'It was ▇▇▇' });
  // The title of a post is no Markdown.
  expect(excerptOf({ content: '1 *2* 3', kind: 'post' })).toEqual({ excerpt: '1 *2* 3' });
  expect(noteOf({ op: 'MESSAGE_CREATE', d: message })).toBeUndefined();
});

test('[CM10] a reply says of which message it shows something', () => {
  const reply_to = { id: id(5), author: 'ada', excerpt: 'a' };
  expect(noteOf({ op: 'MESSAGE_CREATE', d: { ...message, reply_to } })).toEqual({
    quotes: { id: id(5), member: 'reply_to' },
  });
});
