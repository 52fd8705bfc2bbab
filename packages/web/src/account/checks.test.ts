import { expect, test } from 'bun:test';
import { enAccount } from '../text/en/account.ts';
import { checkEmail, checkNewPassword, checkUsername } from './checks.ts';

const { field } = enAccount;

test.each([
  ['', field.missing],
  [' ', field.missing],
  ['a', field.usernameLength],
  ['x'.repeat(33), field.usernameLength],
  ['-ada', field.usernameCharacters],
  ['a da', field.usernameCharacters],
  ['ädä', field.usernameCharacters],
  ['Admin', field.usernameReserved],
  ['Ada', undefined],
  [' a.d_a-2 ', undefined],
])('[WC102] the username %j: %p', (typed, problem) => {
  expect(checkUsername(typed, field)).toBe(problem);
});

test.each([
  ['', field.missing],
  ['ada', field.email],
  ['ada@localhost', field.email],
  ['ada@example.org', undefined],
])('[WC102] the address %j: %p', (typed, problem) => {
  expect(checkEmail(typed, field)).toBe(problem);
});

test.each([
  ['', field.missing],
  ['1234567', field.passwordShort],
  ['🦊'.repeat(7), field.passwordShort],
  ['🦊'.repeat(8), undefined],
  ['x'.repeat(257), field.passwordLong],
])('[WC102] the password %j: %p', (typed, problem) => {
  expect(checkNewPassword(typed, field)).toBe(problem);
});
