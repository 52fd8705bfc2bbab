import { ValidationError } from '@hearth/protocol';

/** The error for a file that does not fit into what is left of the quota for all uploads. */
export function noRoom(leftBytes: number): ValidationError {
  const left = Math.max(0, leftBytes);
  return new ValidationError(
    'file',
    `must fit into the ${left} bytes that are left for all uploads together`,
  );
}
