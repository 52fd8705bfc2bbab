import { z } from 'zod';

/** The form of an upload; its parts may come in any order (File service: Upload form fields). */
export const uploadFormSchema = z.object({
  file: z.file(),
  spoiler: z.boolean().default(false),
  /** Removes metadata, such as where a photograph was taken, before the file is stored. Ours. */
  strip: z.boolean().default(false),
});
