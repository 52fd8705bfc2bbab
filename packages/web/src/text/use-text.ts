import type { ReadonlySignal } from '@preact/signals';
import { requiredContext } from '../lib/required-context.ts';
import type { Catalogue } from './catalogue.ts';
import type { Formats } from './formats.ts';
import type { Language, Texts } from './texts.ts';

const { Provider, useValue } = requiredContext<Texts>();

/** Provides views with the texts. */
export const TextsProvider = Provider;

/** The texts in the current language; redraws the view when it changes. */
export function useText(): Catalogue {
  return useValue().catalogue.value;
}

/** The formats of the current language. */
export function useFormats(): Formats {
  return useValue().formats.value;
}

/** The language at any time, for what is done with it after it has changed. */
export function useLanguageSignal(): ReadonlySignal<Language> {
  return useValue().language;
}

/** The current language, for views that bring their own texts. */
export function useLanguage(): Language {
  return useValue().language.value;
}
