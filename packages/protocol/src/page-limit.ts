import { z } from 'zod';
import { HISTORY_PAGE } from './lengths.ts';

/** The `limit` of a list. */
export function pageLimitSchema() {
  const { min, max, default: usual } = HISTORY_PAGE;
  return z
    .string()
    .transform((given) => (/^\d{1,3}$/.test(given) ? Number(given) : NaN))
    .refine((limit) => limit >= min && limit <= max, {
      error: `must be a whole number from ${min} to ${max}`,
    })
    .default(usual)
    .meta({ type: 'integer', minimum: min, maximum: max, default: usual });
}
