import { ConflictError, errorFields, ERROR_NAMES, ERRORS } from '@hearth/protocol';
import { expect, test } from 'bun:test';
import { errorOfAnswer } from './api-error.ts';
import * as errors from './errors.ts';

const DATA = {
  retry_after: 1_500,
  bytes_left: 7,
  field_name: 'username',
  error: 'is taken',
  code: 'taken',
  permission: 'BAN',
  until: 1_800_000_000_000,
  reason: 'spam',
};

const WITHOUT_CLASS = [
  'MethodNotAllowedError',
  'RangeNotSatisfiableError',
  'ExpectationFailedError',
  'UpgradeRequiredError',
];

test.each(ERROR_NAMES)('%s is thrown as its class, with all of its data', (name) => {
  const { status } = ERRORS[name];
  const fields = Object.keys(errorFields(name));
  const data = Object.fromEntries(Object.entries(DATA).filter(([field]) => fields.includes(field)));
  expect(Object.keys(data).toSorted()).toEqual(fields.toSorted());
  const text = JSON.stringify({ status, message: 'No', data });
  const error = errorOfAnswer({ status, headers: new Headers(), text });
  const expected = WITHOUT_CLASS.includes(name) ? 'ApiError' : name;
  expect(error).toBeInstanceOf(errors.ApiError);
  expect(error.name).toBe(expected);
  expect(error).toMatchObject({ status, message: 'No' });
  const values = Object.values(error);
  for (const value of Object.values(data)) expect(values).toContain(value);
});

test.each([
  [401, errors.UnauthorizedError, { code: undefined }],
  [
    403,
    errors.ForbiddenError,
    { code: undefined, permission: undefined, untilMs: undefined, reason: undefined },
  ],
  [409, errors.ConflictError, { code: undefined, fieldName: undefined, error: 'No' }],
])('a %p without data is still thrown as its class', (status, kind, fields) => {
  const text = JSON.stringify({ status, message: 'No' });
  const error = errorOfAnswer({ status, headers: new Headers(), text });
  expect(error).toBeInstanceOf(kind);
  expect(error).toMatchObject({ status, message: 'No', ...fields });
});

test('[ER11] what stands in the way is a sentence, which is the message of the error', () => {
  const conflict = new ConflictError({ code: 'too_many', field_name: 'pinned' }, { most: 10 });
  const text = JSON.stringify(conflict.toEnvelope());
  const error = errorOfAnswer({ status: 409, headers: new Headers(), text });
  const message = 'At most 10 posts can be pinned in a channel';
  expect(error).toBeInstanceOf(errors.ConflictError);
  expect(error).toMatchObject({ message, error: message, code: 'too_many', fieldName: 'pinned' });
});

test.each([410, 422])('an error with status %p that no class fits keeps its code', (status) => {
  const text = JSON.stringify({ status, message: 'No', data: { code: 'invite_expired' } });
  const error = errorOfAnswer({ status, headers: new Headers(), text });
  expect(error).toMatchObject({ name: 'ApiError', status, message: 'No', code: 'invite_expired' });
});
