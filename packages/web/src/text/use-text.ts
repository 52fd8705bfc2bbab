import { useApp } from '../app/app-state.ts';
import type { Catalogue } from './catalogue.ts';
import type { Formats } from './formats.ts';

/** The texts in the current language; redraws the view when it changes. */
export function useText(): Catalogue {
  return useApp().texts.catalogue.value;
}

/** The formats of the current language. */
export function useFormats(): Formats {
  return useApp().texts.formats.value;
}
