import type { Signal } from '@preact/signals';
import { requiredContext } from '../lib/required-context.ts';

const { Provider, useValue } = requiredContext<Signal<boolean>>();

/** Provides views with the way to open the search. */
export const SearchOpeningProvider = Provider;

/** Is set while the search is open. */
export const useSearchOpening = useValue;
