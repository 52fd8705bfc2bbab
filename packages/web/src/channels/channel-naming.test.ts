import type { UserSummary } from '@hearth/protocol';
import { expect, test } from 'bun:test';
import { channel, garden, idOf, role } from '../../test/support/fake-communities.ts';
import { namesOneOf, namingOf } from './channel-naming.ts';

const ada = idOf('7');
const person: UserSummary = { id: idOf('8'), username: 'grace', display_name: 'Grace H.' };
const community = garden({
  membership: { role_ids: [idOf('12')], joined_at: 0, version: 1 },
  roles: [role('11', 'Bee Keepers'), role('12', 'Cooks')],
  channels: [channel('3', 'tools')],
});
const reader = { owner: ada, community };
const shown = (named: Parameters<typeof namingOf>[0], text: string) =>
  namingOf(named, reader)
    .split(text)
    .map((part) => (typeof part === 'string' ? part : [part.text, part.href, part.isForReader]));

test('[WC170] people, roles and channels are shown by name, and channels and people are links', () => {
  const named = { mentions: [person], mention_roles: [idOf('11')], mention_channels: [idOf('3')] };
  expect(shown(named, 'ask @Grace, (@bee-keepers) in #TOOLS! mail me@grace')).toEqual([
    'ask ',
    ['@Grace H.', './u/grace', false],
    ', (',
    ['@Bee Keepers', undefined, false],
    ') in ',
    ['#tools', './c/garden/3', false],
    '! mail me@grace',
  ]);
});

test('[WC170] what the reader does not see, and what nobody resolved, stays as it was written', () => {
  expect(shown({ mention_channels: [idOf('99')] }, 'see #secret')).toEqual(['see #secret']);
  expect(shown({ mention_roles: [idOf('99')] }, '@gone @cooks')).toEqual(['@gone @cooks']);
  expect(shown(undefined, '@all @cooks #tools')).toEqual(['@all @cooks #tools']);
  const visitor = { owner: undefined, community: undefined };
  expect(namingOf({ mention_channels: [idOf('3')] }, visitor).split('#tools')).toEqual(['#tools']);
});

test.each([
  [{ mentions_all: true as const }, true],
  [{ mention_roles: [idOf('12')] }, true],
  [{ mention_roles: [idOf('11')] }, false],
  [{ mentions: [{ id: ada, username: 'ada' }] }, true],
  [{ mentions: [person] }, false],
  [undefined, false],
])('[WC171] a message that names %j stands out for the reader: %j', (named, isForReader) => {
  expect(namingOf(named, reader).isForReader).toBe(isForReader);
});

test('[WC172] a text is looked through for words that may reach many', () => {
  expect(namesOneOf('hello @all!', ['@all'])).toBe(true);
  expect(namesOneOf('hello @Bee-Keepers.', ['@all', '@bee-keepers'])).toBe(true);
  expect(namesOneOf('hello @alley, mail me@all', ['@all'])).toBe(false);
  for (const text of ['    @all', '```\n@all', '`@all`', String.raw`\@all`]) {
    expect([text, namesOneOf(text, ['@all'])]).toEqual([text, false]);
  }
});

test('[WC210] an address of a post that the instance has resolved is its title', () => {
  const posts = { mention_posts: [{ id: idOf('50'), title: 'Oak' }] };
  const oak = ['Oak', './c/garden/p/50', false];
  expect(shown(posts, 'see /c/garden/p/50/oak, or (/c/garden/p/50)')).toEqual([
    'see ',
    oak,
    ', or (',
    oak,
    ')',
  ]);
  const others = 'see /c/garden/p/51/elm, x/c/garden/p/50 and /c/garden/p/500';
  expect(shown(posts, others)).toEqual([others]);
  const { linkTo } = namingOf(posts, reader);
  expect(linkTo?.('https://hearth.example/home/c/garden/p/50/oak')?.text).toBe('Oak');
  expect(linkTo?.('https://hearth.example/c/garden/p/51/elm')).toBeUndefined();
  expect(linkTo?.('mailto:ada@example.org')).toBeUndefined();
});

test('[WC240] a word that is too long for a name names nothing, and takes no longer than it is', () => {
  const long = `@${'.'.repeat(500_000)}a`;
  expect(namesOneOf(`${long} @oak`, ['@oak'])).toBe(true);
  expect(namesOneOf(long, ['@oak'])).toBe(false);
});
