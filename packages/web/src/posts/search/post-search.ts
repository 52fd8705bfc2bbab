import { useState } from 'preact/hooks';
import { EMPTY_FIELDS, type SearchFields } from '../../search/search-fields.ts';

const NOTHING: SearchFields = { ...EMPTY_FIELDS, kind: 'posts' };

/** The searches that are open, by their places. They stay while the page is open, so that going back leads to what was found. */
const OPEN = new Map<string, SearchFields>();

/** The search of a place: undefined unless it is open. */
export interface OpenSearch {
  readonly fields: SearchFields | undefined;
  readonly open: () => void;
  readonly change: (fields: SearchFields) => void;
  readonly close: () => void;
}

/** The search of a place, as the reader left it. */
export function usePostSearch(place: string): OpenSearch {
  const [, setVersion] = useState(0);
  const set = (fields: SearchFields | undefined) => {
    if (fields === undefined) OPEN.delete(place);
    else OPEN.set(place, fields);
    setVersion((version) => version + 1);
  };
  const fields = OPEN.get(place);
  return {
    fields,
    open: () => set(fields ?? NOTHING),
    change: set,
    close: () => set(undefined),
  };
}
