import { ConflictError } from '@hearth/protocol';

/** Another account has the address. */
export function emailTaken(): ConflictError {
  const error = 'is the address of another account';
  return new ConflictError({ code: 'taken', field_name: 'email', error });
}
