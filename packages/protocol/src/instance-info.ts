import { z } from 'zod';
import { DESCRIPTION_LENGTH } from './lengths.ts';
import { text } from './text.ts';

/** The answer of the REST service to `GET /` (Resources: InstanceInfo). Sizes are in bytes. */
export const instanceInfoSchema = z.object({
  instance_name: z.string().min(1),
  description: text(DESCRIPTION_LENGTH.min, DESCRIPTION_LENGTH.max).nullable(),
  version: z.string(),
  message_limit: z.int().positive(),
  oprish_url: z.string(),
  pandemonium_url: z.string(),
  effis_url: z.string(),
  file_size: z.int().positive(),
  attachment_file_size: z.int().positive(),
});

/** Resources: InstanceInfo. */
export type InstanceInfo = z.infer<typeof instanceInfoSchema>;
