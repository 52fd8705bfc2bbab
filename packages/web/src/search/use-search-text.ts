import { deSearch } from '../text/de/search.ts';
import { enSearch } from '../text/en/search.ts';
import { useLanguage } from '../text/use-text.ts';

/** The texts of the search. */
export type SearchText = typeof enSearch;

const TEXTS = { en: enSearch, de: deSearch } as const;

/** The texts of the search in the current language. They come with its views, in all languages. */
export function useSearchText(): SearchText {
  return TEXTS[useLanguage()];
}
