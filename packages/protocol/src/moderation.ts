import { z } from 'zod';

/** How long a pause or a ban lasts, and what the owner says about it. Ours. */
export const termSchema = z.object({
  /** Unix milliseconds; absent if it lasts until the owner lifts it. */
  until: z.int().nonnegative().exactOptional(),
  /** A text for the people it applies to. */
  reason: z.string().exactOptional(),
});

/** How long a pause or a ban lasts, and what the owner says about it. */
export type Term = Readonly<z.infer<typeof termSchema>>;

/** What the owner has paused for everyone; what is not paused is absent. Ours. */
export const pausesSchema = z.object({
  posting: termSchema.exactOptional(),
  uploads: termSchema.exactOptional(),
});

/** What the owner has paused for everyone. */
export type Pauses = Readonly<z.infer<typeof pausesSchema>>;
