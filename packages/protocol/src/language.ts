import { storableText } from './text.ts';

/** A language as a BCP 47 tag, such as `de` or `de-AT`. Ours. */
export const languageSchema = storableText(2, 35).regex(/^[A-Za-z]{2,8}(?:-[A-Za-z0-9]{1,8})*$/, {
  error: 'must be a language tag, such as en or de-AT',
});
