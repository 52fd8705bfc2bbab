import { computed, effect, signal, type ReadonlySignal } from '@preact/signals';
import type { Catalogue } from './catalogue.ts';
import { en } from './en.ts';
import { Formats } from './formats.ts';
import { loadPart } from '../lib/load-part.ts';

/** The languages that have a catalogue. */
export const LANGUAGES = ['en', 'de'] as const;

/** A language that has a catalogue. */
export type Language = (typeof LANGUAGES)[number];

/** English is part of the first load; the other languages are loaded when they are needed. */
const LOADS: Readonly<Record<Exclude<Language, 'en'>, (onLost: () => void) => Promise<Catalogue>>> =
  {
    de: (onLost) =>
      loadPart('text/de.ts', () => import('./de.ts'), { onLost }).then(({ de }) => de),
  };

/** The client's texts and formats, in the language that the reader chose or the browser asks for. */
export class Texts {
  readonly language: ReadonlySignal<Language>;
  readonly catalogue: ReadonlySignal<Catalogue>;
  readonly formats: ReadonlySignal<Formats>;
  readonly #loaded = signal<ReadonlyMap<Language, Catalogue>>(new Map([['en', en]]));
  #loading: Promise<void> = Promise.resolve();

  /** `wanted` is the reader's choice; `preferred` are the browser's languages, the best first. */
  constructor(wanted: ReadonlySignal<Language | 'system'>, preferred: readonly string[]) {
    const system = chooseLocale(preferred);
    this.language = computed(() => (wanted.value === 'system' ? system.language : wanted.value));
    this.catalogue = computed(() => this.#loaded.value.get(this.language.value) ?? en);
    effect(() => {
      this.#load(this.language.value);
    });
    this.formats = computed(() => {
      const language = this.language.value;
      const regional = preferred.find((tag) => languageOf(tag) === language);
      return new Formats(regional ?? language);
    });
  }

  /** Resolves when the texts of the current language are there, or cannot be loaded. */
  ready(): Promise<void> {
    return this.#loading;
  }

  #load(language: Language): void {
    if (language === 'en' || this.#loaded.peek().has(language)) return;
    this.#loading = new Promise((resolve) => {
      // English is there anyway.
      void LOADS[language](resolve).then((catalogue) => {
        this.#loaded.value = new Map([...this.#loaded.peek(), [language, catalogue]]);
        resolve();
      });
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
