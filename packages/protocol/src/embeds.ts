import { z } from 'zod';
import { attachedFileSchema } from './uploads.ts';

/** A preview of what the instance has found at an address. Ours. */
export const embedSchema = z.object({
  url: z.string(),
  title: z.string().exactOptional(),
  description: z.string().exactOptional(),
  site_name: z.string().exactOptional(),
  /** A picture that the instance has stored. */
  picture: attachedFileSchema.exactOptional(),
});

export type Embed = z.infer<typeof embedSchema>;
