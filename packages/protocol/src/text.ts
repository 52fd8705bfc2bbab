import { z } from 'zod';
import { countCodePoints } from './characters.ts';
import { drawsNothing } from './drawn.ts';

function fits(value: string, min: number, max: number): boolean {
  // The UTF-16 length usually decides: there are at most as many characters, and at least half as many.
  if (value.length <= max && value.length >= min * 2) return true;
  if (value.length < min || value.length > max * 2) return false;
  const count = countCodePoints(value);
  return count >= min && count <= max;
}

/**
 * Text of `min` to `max` characters, counted as Unicode code points rather than bytes or UTF-16 units. A lone surrogate
 * is refused: JSON can express it, but it is not a character, and the parsers of many languages fail on it.
 *
 * @example text(2, 32).safeParse('👋👋').success // true
 */
export function text(min: number, max: number): z.ZodString {
  const error = `must be text of ${min} to ${max} characters`;
  return (
    z
      .string({ error })
      .refine((value) => fits(value, min, max), { error })
      .refine((value) => value.isWellFormed(), {
        error: 'must be Unicode text without lone surrogates',
      })
      // For JSON Schema, which also counts code points.
      .meta({ minLength: min, maxLength: max })
  );
}

/**
 * Returns the schema of a text without U+0000, which PostgreSQL cannot store. For every text that the documented
 * interface does not define.
 */
export function storableText(min: number, max: number): z.ZodString {
  return text(min, max).refine((value) => !value.includes('\0'), {
    error: 'must be text without U+0000',
  });
}

/** Text that people see, without white space around it and in one normal form: it must draw something. */
export function shownText(min: number, max: number): z.ZodString {
  return storableText(min, max)
    .normalize('NFC')
    .trim()
    .min(min, { error: `must be text of ${min} to ${max} characters` })
    .refine((value) => !drawsNothing(value), { error: 'must have a character that can be seen' });
}

/** Text that is only compared with what is stored: of at most `max` UTF-16 units, and with any characters. */
export function anyText(max: number): z.ZodString {
  // Pages make these schemas at every start, and the first formatter of numbers takes longer than all schemas do.
  const shown = String(max).replaceAll(/\B(?=(?:\d{3})+$)/g, ',');
  const error = `must be text of at most ${shown} characters`;
  return z.string({ error }).max(max, { error });
}
