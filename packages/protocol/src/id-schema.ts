import { z } from 'zod';
import { parseId, type Id } from './ids.ts';

/** An identifier in decimal digits, without leading zeros. */
export const ID_PATTERN = /^(0|[1-9][0-9]{0,38})$/;

/** An identifier as it is written in JSON (Resources: Identifier format). */
export const idSchema = z
  .string()
  .regex(ID_PATTERN)
  .refine((value): value is Id => parseId(value) !== undefined, {
    error: 'must be an identifier: a number of 128 bits in decimal digits',
  });
