import {
  searchTerms,
  ValidationError,
  wordSplitter,
  type Id,
  type SearchedContent,
} from '@hearth/protocol';
import { foldName, type Wanted } from './index-words.ts';

/** Splits texts into words. */
export const split = wordSplitter();

/** A link in a text. */
export const LINK = /https?:\/\/[^\s<>"]/i;

export interface SearchInput {
  readonly q?: string | undefined;
  readonly from?: string | undefined;
  readonly has?: SearchedContent | undefined;
  readonly after?: Id | undefined;
  readonly before?: Id | undefined;
  readonly limit: number;
}

/** Returns the words, the author and the content of a search. Throws ValidationError if that is nothing. */
export function wantedIn({ q = '', from, has }: Omit<SearchInput, 'limit'>): Wanted {
  const terms = searchTerms(q, split);
  const name = foldName(from ?? '');
  if (terms.words.length === 0 && terms.beginning === undefined) {
    if (q.trim() !== '') throw new ValidationError('q', 'must contain a letter or a digit');
    if (name === '' && has === undefined) {
      throw new ValidationError('q', 'is missing: only a search with from or has needs no words');
    }
  }
  return { terms, from: name === '' ? undefined : name, has };
}
