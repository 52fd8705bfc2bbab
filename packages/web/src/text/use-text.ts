import { useApp } from '../app-state.ts';
import type { Catalogue } from './catalogue.ts';
import type { Formats } from './formats.ts';

/** The words of the language in force; the view is drawn again when it changes. */
export function useText(): Catalogue {
  return useApp().texts.catalogue.value;
}

/** Numbers, sizes and times of the language in force. */
export function useFormats(): Formats {
  return useApp().texts.formats.value;
}
