import { computed, type ReadonlySignal } from '@preact/signals';
import type { Catalogue } from './catalogue.ts';
import { de } from './de.ts';
import { en } from './en.ts';
import { Formats } from './formats.ts';

/** The languages that have a catalogue. */
export const LANGUAGES = ['en', 'de'] as const;

/** A language that has a catalogue. */
export type Language = (typeof LANGUAGES)[number];

const CATALOGUES: Readonly<Record<Language, Catalogue>> = { en, de };

/** The client's texts and formats, in the language that the reader chose or the browser asks for. */
export class Texts {
  readonly language: ReadonlySignal<Language>;
  readonly catalogue: ReadonlySignal<Catalogue>;
  readonly formats: ReadonlySignal<Formats>;

  /** `wanted` is the reader's choice; `preferred` are the browser's languages, the best first. */
  constructor(wanted: ReadonlySignal<Language | 'system'>, preferred: readonly string[]) {
    const system = chooseLocale(preferred);
    this.language = computed(() => (wanted.value === 'system' ? system.language : wanted.value));
    this.catalogue = computed(() => CATALOGUES[this.language.value]);
    this.formats = computed(() => {
      const language = this.language.value;
      const regional = preferred.find((tag) => languageOf(tag) === language);
      return new Formats(regional ?? language);
    });
  }
}

function chooseLocale(preferred: readonly string[]): { readonly language: Language } {
  for (const tag of preferred) {
    const language = languageOf(tag);
    if (language !== undefined) return { language };
  }
  return { language: 'en' };
}

function languageOf(tag: string): Language | undefined {
  const primary = tag.toLowerCase().split('-')[0];
  return LANGUAGES.find((language) => language === primary);
}
