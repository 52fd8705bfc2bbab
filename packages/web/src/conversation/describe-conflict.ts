import type { ByConflict } from '@hearth/protocol';
import type { ConflictError } from '@hearth/sdk';
import type { Catalogue } from '../text/catalogue.ts';

type Sentences = Readonly<Record<string, Readonly<Record<string, string>>>>;

/** A sentence about what stands in the way. It is the server's own if the page has none, or has not loaded it. */
export function describeConflict(
  { code = '', fieldName = '', error }: ConflictError,
  { conflicts, shell }: Pick<Catalogue, 'conflicts' | 'shell'>,
): string {
  const known: (ByConflict<string> & Sentences) | undefined = conflicts.value;
  return known?.[code]?.[fieldName] ?? shell.errors.conflict(error);
}
