import { expect, test } from 'bun:test';
import { idOf } from '../../test/support/fake-communities.ts';
import { channelMarks, communityMarks, isMuted, isPlaceMuted } from './marks.ts';

const [garden, general, tools] = [idOf('1'), idOf('2'), idOf('3')];
const community = { id: garden, channels: [{ id: general }, { id: tools }] };
const marks = new Map([
  [general, { isUnread: true, mentions: 1 }],
  [tools, { isUnread: true, mentions: 2 }],
]);
const muted = (id: typeof garden, until: number) =>
  new Map([[id, { community_id: id, muted_until: until }]]);

test('[WC132] a community is unread if one of its channels is, and has the mentions of all of them', () => {
  const known = { marks, settings: new Map(), nowMs: 0 };
  expect(communityMarks(community, known)).toEqual({ isUnread: true, mentions: 3 });
  expect(communityMarks(community, { ...known, marks: new Map() })).toEqual({
    isUnread: false,
    mentions: 0,
  });
});

test('[WC132][RD19] what is muted shows only mentions, until it is not muted any more', () => {
  const inGarden = { marks, settings: muted(garden, 10), nowMs: 9 };
  expect(communityMarks(community, inGarden)).toEqual({ isUnread: false, mentions: 3 });
  expect(isMuted(community, { id: tools }, inGarden)).toBe(true);
  expect(communityMarks(community, { ...inGarden, nowMs: 10 }).isUnread).toBe(true);
  expect(isPlaceMuted(tools, inGarden)).toBe(false);
  const inTools = { marks, settings: muted(tools, 10), nowMs: 9 };
  expect(channelMarks(community, { id: tools }, inTools).isUnread).toBe(false);
  expect(channelMarks(community, { id: general }, inTools).isUnread).toBe(true);
});
