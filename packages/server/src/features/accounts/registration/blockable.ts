import { formatClientRange, parseClientRange } from '../../../client-range.ts';
import { parseMailDomain } from './mail-domain.ts';
import type { RegistrationBlock } from './store.ts';

export type Blockable = Pick<RegistrationBlock, 'kind' | 'value'>;

/** The clients of an address or a range, or a mail domain with those below it; undefined if `text` is neither. */
export function parseBlockable(text: string): Blockable | undefined {
  const range = parseClientRange(text);
  if (range !== undefined) return { kind: 'clients', value: formatClientRange(range) };
  const domain = parseMailDomain(text);
  return domain === undefined ? undefined : { kind: 'domain', value: domain };
}
