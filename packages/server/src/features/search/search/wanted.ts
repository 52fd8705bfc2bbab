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

/** What a search asks for. Throws ValidationError if that is nothing. */
export function wantedIn({ q = '', from, has }: SearchInput): Wanted {
  const wanted = { terms: searchTerms(q, split), from: nameIn(from), has };
  requireSomething(q, wanted);
  return wanted;
}

function requireSomething(q: string, { terms, from, has }: Wanted): void {
  if (terms.words.length > 0 || terms.beginning !== undefined) return;
  if (q.trim() !== '') throw new ValidationError('q', 'must contain a letter or a digit');
  if (from === undefined && has === undefined) {
    throw new ValidationError('q', 'is missing: only a search with from or has needs no words');
  }
}

/** An empty name is none. */
function nameIn(from: string | undefined): string | undefined {
  const name = foldName(from ?? '');
  return name === '' ? undefined : name;
}
