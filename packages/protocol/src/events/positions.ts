import { z } from 'zod';

/** A position in a stream, which grows by one with each event. */
export const positionSchema = z.int().nonnegative();
