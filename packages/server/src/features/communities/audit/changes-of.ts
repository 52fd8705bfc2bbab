import type { AuditChange } from '@hearth/protocol';

type Values = Readonly<Record<string, unknown>>;

/**
 * The fields of an object of the wire that differ: texts, numbers, yes or no, and lists of texts. Other fields, `version` and
 * those named in `except` are left out.
 */
export function changesOf(
  before: Values,
  after: Values,
  except: readonly string[] = [],
): readonly AuditChange[] {
  const fields = new Set([...Object.keys(before), ...Object.keys(after)]);
  for (const field of ['version', ...except]) fields.delete(field);
  return [...fields].flatMap((field) => {
    const [was, is] = [recordable(before[field]), recordable(after[field])];
    if (JSON.stringify(was) === JSON.stringify(is)) return [];
    return [
      { field, ...(was !== undefined && { before: was }), ...(is !== undefined && { after: is }) },
    ];
  });
}

function recordable(value: unknown): AuditChange['before'] {
  if (Array.isArray(value)) return value.every((each) => typeof each === 'string') ? value : [];
  const isPlain = ['string', 'number', 'boolean'].includes(typeof value);
  // Guarantee: it is one of these.
  return isPlain ? (value as string | number | boolean) : undefined;
}
