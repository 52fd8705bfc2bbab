import { contrast, hexOf, mixed, oklchOf, rgbFrom, rgbOf, type Rgb } from './colour.ts';

/** Shades of an accent that the page needs on the backgrounds of one of its themes, as `#rrggbb`. */
export interface Shades {
  /** For text and controls. */
  readonly accent: string;
  /** For text on the accent. */
  readonly onAccent: string;
  /** A background. */
  readonly soft: string;
}

/** The backgrounds of a theme: `--paper`, `--raised` and `--sunk` of the page's tokens. */
export const BACKGROUNDS = {
  light: ['#fbf8f4', '#ffffff', '#f3ede5'],
  dark: ['#191513', '#221d1a', '#120f0d'],
} as const;

type Theme = keyof typeof BACKGROUNDS;

/** WCAG 2.2, 1.4.3. */
const LEAST_CONTRAST = 4.5;
const STEP = 0.005;
const SOFT_SHARE = { light: 0.1, dark: 0.14 } as const;
const [WHITE, BLACK]: readonly [Rgb, Rgb] = [
  [1, 1, 1],
  [0, 0, 0],
];

/**
 * The shades of an accent in a theme. It keeps its hue; if it cannot be read on the theme's backgrounds, it is as much
 * darker or lighter as it has to be.
 */
export function shadesOf(accent: string, theme: Theme): Shades {
  const { lightness, ...hue } = oklchOf(rgbOf(accent));
  const step = theme === 'light' ? -STEP : STEP;
  for (let at = lightness; ; at += step) {
    const isEnd = theme === 'light' ? at <= 0 : at >= 1;
    const colour = rgbOf(hexOf(rgbFrom({ ...hue, lightness: Math.min(1, Math.max(0, at)) })));
    const soft = mixed(colour, rgbOf(BACKGROUNDS[theme][0]), SOFT_SHARE[theme]);
    const backgrounds = [...BACKGROUNDS[theme].map(rgbOf), rgbOf(hexOf(soft))];
    const isReadable = backgrounds.every((each) => contrast(colour, each) >= LEAST_CONTRAST);
    if (!isReadable && !isEnd) continue;
    const onAccent = contrast(colour, WHITE) >= contrast(colour, BLACK) ? WHITE : BLACK;
    return { accent: hexOf(colour), onAccent: hexOf(onAccent), soft: hexOf(soft) };
  }
}

/** A stylesheet that gives the page an accent. */
export function accentStyles(accent: string): string {
  const rule = (selector: string, theme: Theme) => {
    const shades = shadesOf(accent, theme);
    return `${selector}{--ember:${shades.accent};--on-ember:${shades.onAccent};--ember-soft:${shades.soft};--link:${shades.accent}}`;
  };
  return `${rule(':root', 'light')}\n${rule(":root[data-theme='dark']", 'dark')}\n`;
}
