import { expect, test } from 'bun:test';
import { inviteCodeFrom, inviteCodeIn, inviteLink } from './invites.ts';

test.each([
  ['https://chat.example.org', 'k7mwp3xd9qht', 'https://chat.example.org/#invite=k7mwp3xd9qht'],
  ['http://127.0.0.1:7160/', 'a b', 'http://127.0.0.1:7160/#invite=a%20b'],
])('the invite link of %p with the code %p is %p', (webUrl, code, link) => {
  expect(inviteLink(webUrl, code)).toBe(link);
  expect(inviteCodeIn(new URL(link).hash)).toBe(code);
});

test.each(['', '#', '#invite=', '#code=k7mwp3xd9qht', '#invite=%'])(
  'the fragment %p has no invite',
  (fragment) => {
    expect(inviteCodeIn(fragment)).toBeUndefined();
  },
);

test.each([
  ['k7mwp3xd9qht', 'k7mwp3xd9qht'],
  ['  k7mwp3xd9qht\n', 'k7mwp3xd9qht'],
  ['https://chat.example.org/invite/k7mwp3xd9qht', 'k7mwp3xd9qht'],
  ['chat.example.org/below/invite/k7mwp3xd9qht/', 'k7mwp3xd9qht'],
  ['https://chat.example.org/invite/k7mwp3xd9qht?from=mail#top', 'k7mwp3xd9qht'],
  ['https://chat.example.org/#invite=k7mwp3xd9qht', 'k7mwp3xd9qht'],
  ['https://chat.example.org/register#invite=a%20b', 'a b'],
  ['#invite=k7mwp3xd9qht', 'k7mwp3xd9qht'],
  ['https://chat.example.org/invite/', 'https://chat.example.org/invite/'],
  ['', ''],
])('[WC102][WC102a] the invite code in %j is %j', (text, code) => {
  expect(inviteCodeFrom(text)).toBe(code);
});
