import { z } from 'zod';

/** A copy of everything that the instance has of a person, which is made in the background. Ours. */
export const accountExportSchema = z.discriminatedUnion('state', [
  z.object({ state: z.literal('none') }),
  z.object({
    state: z.literal('working'),
    requested_at: z.int().nonnegative(),
    /** The number of files in the archive, and of all of them; 0 of 0 until that is known. */
    done: z.int().nonnegative(),
    total: z.int().nonnegative(),
  }),
  z.object({
    state: z.literal('ready'),
    requested_at: z.int().nonnegative(),
    /** When it is removed. */
    expires_at: z.int().nonnegative(),
    size_bytes: z.int().nonnegative(),
    /** The address at which everyone who knows it can fetch the ZIP archive. */
    url: z.string(),
  }),
  z.object({ state: z.literal('failed'), requested_at: z.int().nonnegative() }),
]);

export type AccountExport = z.infer<typeof accountExportSchema>;
