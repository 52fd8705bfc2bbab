import { z } from 'zod';

/** The end of a pause or a ban, and the reason that the owner gives. Ours. */
export const termSchema = z.object({
  /** Unix milliseconds; absent if it lasts until the owner lifts it. */
  until: z.int().nonnegative().exactOptional(),
  /** A text for the people it applies to. */
  reason: z.string().exactOptional(),
});

/** The end of a pause or a ban, and the reason that the owner gives. */
export type Term = Readonly<z.infer<typeof termSchema>>;

/** Pauses of the owner for everyone; what is not paused is absent. Ours. */
export const pausesSchema = z.object({
  posting: termSchema.exactOptional(),
  uploads: termSchema.exactOptional(),
});

/** Pauses of the owner for everyone. */
export type Pauses = Readonly<z.infer<typeof pausesSchema>>;
