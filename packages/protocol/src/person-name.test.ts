import { expect, test } from 'bun:test';
import { personName } from './person-name.ts';

test.each([
  [{ username: 'ada' }, undefined, 'ada'],
  [{ username: 'ada', display_name: 'Ada Lovelace' }, undefined, 'Ada Lovelace'],
  [{ username: 'ada', display_name: 'Ada Lovelace' }, 'Countess', 'Countess'],
  [{ username: 'ada' }, 'Countess', 'Countess'],
  [{ username: 'ada', display_name: '\u200b' }, '\u3164', 'ada'],
  [{ username: 'ada', display_name: 'Ada' }, '\u2800', 'Ada'],
])('[WC390] %j with the nickname %j is called %j', (person, nickname, name) => {
  expect(personName(person, nickname)).toBe(name);
});
