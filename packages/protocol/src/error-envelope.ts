import { z } from 'zod';

/** The envelope of every error (Errors); `data` is absent for errors that carry none. */
export const errorEnvelopeSchema = z.object({
  status: z.int(),
  message: z.string(),
  data: z.record(z.string(), z.unknown()).optional(),
});

/** The envelope of every error. */
export type ErrorEnvelope = z.infer<typeof errorEnvelopeSchema>;
