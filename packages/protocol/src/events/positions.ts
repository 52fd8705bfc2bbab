import { z } from 'zod';

/** A place in a stream: it grows by one with each event. */
export const positionSchema = z.int().nonnegative();
