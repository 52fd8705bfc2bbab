import { ConflictError } from '@hearth/protocol';

type TooMany = Extract<ConstructorParameters<typeof ConflictError>[0], { code: 'too_many' }>;

/** The error for one thing more than there may be. */
export function tooMany(field: TooMany['field_name'], most: number): ConflictError {
  return new ConflictError({ code: 'too_many', field_name: field }, { most });
}
