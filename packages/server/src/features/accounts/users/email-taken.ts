import { ConflictError } from '@hearth/protocol';

/** Another account has the address. */
export function emailTaken(): ConflictError {
  return new ConflictError({ code: 'taken', field_name: 'email' });
}
