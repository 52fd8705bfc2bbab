import { useState } from 'preact/hooks';

/** What the reader is searching for in a place, as they typed it. */
export interface SearchFields {
  readonly kind: 'posts' | 'comments';
  readonly text: string;
  readonly from: string;
}

const EMPTY: SearchFields = { kind: 'posts', text: '', from: '' };

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
    open: () => set(fields ?? EMPTY),
    change: set,
    close: () => set(undefined),
  };
}

/** Whether the fields say enough for a search. */
export function isSearch({ text, from }: SearchFields): boolean {
  return /[\p{L}\p{N}]/u.test(text) || (text.trim() === '' && from.trim() !== '');
}
