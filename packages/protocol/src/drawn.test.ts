import { describe, expect, test } from 'bun:test';
import { drawsNothing } from './drawn.ts';
import { newChannelSchema, channelChangeSchema } from './channels.ts';
import { communityChangeSchema, newCommunitySchema } from './communities.ts';
import { joinRequestInputSchema } from './join-requests.ts';
import { memberChangeSchema } from './members.ts';
import { parseInput } from './parse-input.ts';
import { newPollSchema } from './polls.ts';
import { postSettingsChangeSchema } from './post-settings.ts';
import { crosspostSchema, newPostSchema, postChangeSchema } from './posts.ts';
import { registrationSchema } from './registration.ts';
import { newRoleSchema, roleChangeSchema } from './roles.ts';
import { userChangeSchema } from './user-changes.ts';

const BLANK: readonly (readonly [what: string, text: string])[] = [
  ['nothing', ''],
  ['a space', ' '],
  ['spaces of many widths', '\u00a0\u1680\u2003\u2009\u200a\u202f\u205f\u3000'],
  ['breaks', '\n\r\u0085\u2028\u2029'],
  ['a zero-width space', '\u200b'],
  ['joiners', '\u200c\u200d\u2060'],
  ['a soft hyphen', '\u00ad'],
  ['a byte order mark', '\ufeff'],
  ['fillers of Hangul', '\u115f\u1160\u3164\uffa0'],
  ['vowels of Khmer that nobody sees', '\u17b4\u17b5'],
  ['selectors of Mongolian', '\u180b\u180e\u180f'],
  ['selectors of variants', '\ufe00\ufe0f\u{e0100}\u{e01ef}'],
  ['a mark that joins graphemes', '\u034f'],
  ['tags', '\u{e0001}\u{e0067}\u{e007f}'],
  ['the empty pattern of Braille', '\u2800'],
  ['annotations and a replaced object', '\ufff9\ufffa\ufffb\ufffc'],
  ['controls', '\u0007\u007f\u009f'],
  ['noncharacters', '\ufdd0\uffff\u{1fffe}\u{10ffff}'],
  ['marks of direction', '\u061c\u200e\u202e\u2066'],
  ['signs that control music and shorthand', '\u{1d173}\u{1d159}\u{1bca0}'],
  ['fillers of other scripts', '\u{16fe4}\u{13441}\u{13430}'],
];

const DRAWN: readonly string[] = [
  'a',
  '.',
  '\u0301',
  '\u0488',
  '\u2801',
  '\ufffd',
  '語',
  'بِ',
  '❤\ufe0f',
  '👨‍👩‍👧',
  '🏴\u{e0067}\u{e0062}\u{e0065}\u{e006e}\u{e0067}\u{e007f}',
  '🇪🇺',
  '1\ufe0f\u20e3',
  '\ue000',
  '\u200ba\u200b',
];

test.each(BLANK)('[HT13] %s draws nothing', (_what, text) => {
  expect(drawsNothing(text)).toBe(true);
});

test.each(DRAWN)('[HT13] %j draws something', (text) => {
  expect(drawsNothing(text)).toBe(false);
});

const NAMED: Readonly<Record<string, (name: string) => unknown>> = {
  display_name: (display_name) => parseInput(userChangeSchema, { display_name }),
  pronouns: (pronouns) => parseInput(userChangeSchema, { pronouns }),
  bio: (bio) => parseInput(userChangeSchema, { bio }),
  'display_name of a registration': (display_name) =>
    parseInput(registrationSchema.pick({ display_name: true }), { display_name }),
  nickname: (nickname) => parseInput(memberChangeSchema, { nickname }),
  reason: (reason) => parseInput(memberChangeSchema, { reason }),
  'name of a new community': (name) =>
    parseInput(newCommunitySchema, { name: `${name}${name}`, slug: 'garden' }),
  'name of a community': (name) => parseInput(communityChangeSchema, { name: `${name}${name}` }),
  description: (description) => parseInput(communityChangeSchema, { description }),
  rules: (rules) => parseInput(communityChangeSchema, { rules }),
  'tags of a community': (tag) => parseInput(communityChangeSchema, { tags: [tag] }),
  'name of a new channel': (name) => parseInput(newChannelSchema, { kind: 'category', name }),
  'name of a channel': (name) => parseInput(channelChangeSchema, { name }),
  topic: (topic) => parseInput(channelChangeSchema, { topic }),
  'name of a new role': (name) => parseInput(newRoleSchema, { name }),
  'name of a role': (name) => parseInput(roleChangeSchema, { name }),
  'tags of a channel': (name) => parseInput(postSettingsChangeSchema, { tags: [{ name }] }),
  'title of a new post': (title) => parseInput(newPostSchema, { title }),
  'title of a post': (title) => parseInput(postChangeSchema, { title }),
  'title of a crosspost': (title) => parseInput(crosspostSchema, { channel_id: '1', title }),
  'options of a poll': (option) =>
    parseInput(newPollSchema, { options: [option, 'no'], ends_at: 0 }),
  'text of a request to join': (text) => parseInput(joinRequestInputSchema, { text }),
};

describe.each(Object.entries(NAMED))('[HT13] the %s', (what, parse) => {
  const [field = ''] = what.split(' ');

  test.each(['\u200b', '\u3164', '\u2800', '\u00ad', '\u{e0067}', '\u2060'])(
    'the field must not be %j alone, and the error names it',
    (blank) => {
      const refused = expect(() => parse(blank));
      refused.toThrow(`Invalid ${field}: must have a character that can be seen`);
    },
  );

  test('may have such characters beside others', () => {
    expect(() => parse('👨‍👩‍👧\u200b❤\ufe0f')).not.toThrow();
  });
});
