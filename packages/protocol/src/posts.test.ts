import { expect, test } from 'bun:test';
import { MOST_URL_CHARACTERS, newPostSchema, postChangeSchema } from './posts.ts';

const BEGIN = 'https://a.example/';

test.each([
  ['a line break', 'https://a.example/\nb'],
  ['a tab', 'https://a.\texample/'],
  ['a control character', 'https://a.example/\u0001'],
  ['a line separator', 'https://a.example/\u2028'],
  ['a direction character', 'https://a.example/\u202Egnp.exe'],
  ['a user name', 'https://bank.example@evil.example/'],
  ['a password', 'https://:secret@evil.example/'],
  ['another scheme', 'javascript:alert(1)'],
  ['no scheme', 'a.example'],
  ['a long normal form', `${BEGIN}${'é'.repeat(MOST_URL_CHARACTERS / 2)}`],
])('[PO21] an address with %s is refused', (_what, url) => {
  expect(newPostSchema.safeParse({ title: 'Oak', url }).success).toBe(false);
  expect(postChangeSchema.safeParse({ url }).success).toBe(false);
});

test.each([
  ['  https://a.example/  ', BEGIN],
  ['HTTPS://A.example:443', BEGIN],
  ['https://a.example/a b/../é?q=@#@', 'https://a.example/%C3%A9?q=@#@'],
  ['https://müller.example/', 'https://xn--mller-kva.example/'],
  ['http://a.example/@ada', 'http://a.example/@ada'],
])('[PO21] %j is stored as %j', (url, normal) => {
  expect(newPostSchema.parse({ title: 'Oak', url }).url).toBe(normal);
  expect(postChangeSchema.parse({ url }).url).toBe(normal);
  expect(postChangeSchema.parse({ url: normal }).url).toBe(normal);
});
