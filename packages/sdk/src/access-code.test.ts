import { expect, test } from 'bun:test';
import { accessCodeNow, accessCodeOf } from './access-code.ts';
import { HearthError } from './errors.ts';

test.each([
  ['https://chat.example.org/#code=k7mw-p3xd-9qht', 'k7mw-p3xd-9qht'],
  ['127.0.0.1:7162/#code=a%26b%3Dc%2Bd', 'a&b=c+d'],
  ['https://chat.example.org/#lobby&code=kitten', 'kitten'],
  ['https://chat.example.org/#code=', undefined],
  ['https://chat.example.org/?code=kitten', undefined],
  ['chat.example.org', undefined],
])('[MO21] the access code in %p is %p', (url, code) => {
  expect(accessCodeOf(url)).toBe(code);
});

test('[MO21] an access code is a text, or what a function returns whenever it is needed', () => {
  const codes = ['kitten', undefined, 'another'];
  const option = () => codes.shift();
  expect([accessCodeNow(option), accessCodeNow(option), accessCodeNow(option)]).toEqual([
    'kitten',
    undefined,
    'another',
  ]);
  expect([accessCodeNow(undefined), accessCodeNow(''), accessCodeNow('kitten')]).toEqual([
    undefined,
    undefined,
    'kitten',
  ]);
});

test('[MO21] an access code that cannot be sent is refused without quoting it', () => {
  for (const code of ['short', 'naïve secret', 'line\nbreak']) {
    expect(() => accessCodeNow(code)).toThrow(HearthError);
    expect(() => accessCodeNow(code)).not.toThrow(code);
  }
});
