import type { Fields } from './noun.ts';

/** The fields of errors, and of their `data`. */
export const ERROR_FIELDS: Fields = {
  status: 'The status of the HTTP answer, again.',
  message: 'A sentence for people.',
  data: 'What programs need to know.',
  retry_after: 'How long to wait before the request is sent again, in milliseconds.',
  bytes_left: 'How many bytes may still be uploaded until then.',
  code: 'Says why, for programs. Clients ignore a code that they do not know.',
  field_name: 'The field of the request that is refused.',
  error: 'What is wrong, as a part of a sentence; for a ServerError, which operation failed.',
  permission: 'The permission that is missing.',
  until: 'When it may be possible again, in Unix milliseconds.',
  reason: 'What the owner or a moderator says about it.',
};
