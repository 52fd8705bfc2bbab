import { z } from 'zod';
import { countCodePoints } from './characters.ts';

function fits(value: string, min: number, max: number): boolean {
  // Most texts are decided by their UTF-16 length, which is at least half and at most all of the answer.
  if (value.length <= max && value.length >= min * 2) return true;
  if (value.length < min || value.length > max * 2) return false;
  const count = countCodePoints(value);
  return count >= min && count <= max;
}

/**
 * Text of `min` to `max` characters, counted as Unicode code points: neither bytes nor UTF-16 units. A lone surrogate
 * is refused: JSON can spell it, but it is no character, and the parsers of many languages fail on it.
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
      // For JSON Schema, which counts code points too.
      .meta({ minLength: min, maxLength: max })
  );
}
