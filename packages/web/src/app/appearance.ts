import { effect, signal } from '@preact/signals';
import type { Settings } from '../settings/settings.ts';
import type { Texts } from '../text/texts.ts';

/** The background colours, for the browser's own frame: `--paper` of the tokens. */
const FRAME_COLOURS = { light: '#fbf8f4', dark: '#191513' } as const;

/** Applies the chosen colours, motion, density and language to the document. */
export function startAppearance(settings: Settings, texts: Texts): () => void {
  const { dataset } = document.documentElement;
  const systemIsDark = matchMedia('(prefers-color-scheme: dark)');
  const isDark = signal(systemIsDark.matches);
  const watch = () => {
    isDark.value = systemIsDark.matches;
  };
  systemIsDark.addEventListener('change', watch);
  const offs = [
    effect(() => {
      const { value } = settings.theme;
      const theme = value === 'system' ? (isDark.value ? 'dark' : 'light') : value;
      dataset['theme'] = theme;
      for (const meta of document.querySelectorAll('meta[name="theme-color"]')) {
        meta.setAttribute('content', FRAME_COLOURS[theme]);
      }
    }),
    effect(() => {
      if (settings.motion.value === 'off') dataset['motion'] = 'off';
      else delete dataset['motion'];
    }),
    effect(() => {
      dataset['density'] = settings.density.value;
    }),
    effect(() => {
      document.documentElement.lang = texts.language.value;
    }),
    () => systemIsDark.removeEventListener('change', watch),
  ];
  return () => {
    for (const off of offs) off();
  };
}
