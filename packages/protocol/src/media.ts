import { z } from 'zod';
import { MEDIA_SIZES } from './lengths.ts';
import { fileQuerySchema } from './uploads.ts';

const SIZES = MEDIA_SIZES.map(String);

/** The query of `GET /media/<id>`: with `size`, a picture whose longer side has at most so many pixels. Ours. */
export const mediaQuerySchema = fileQuerySchema.extend({
  size: z
    .string()
    .refine((size) => SIZES.includes(size), { error: `must be one of ${SIZES.join(', ')}` })
    .transform(Number)
    .optional()
    .meta({ type: 'integer', enum: [...MEDIA_SIZES] }),
});
