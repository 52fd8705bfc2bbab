import { z } from 'zod';

/** A position in a stream, which grows by one with each event. */
export const positionSchema = z.int().nonnegative();

/** A place in a stream: the epoch, and the position of the newest event there. Profile 2, ours. */
export const streamPlaceSchema = z.tuple([z.string(), positionSchema]);

/** Places in streams, by the streams' names. Profile 2, ours. */
export const streamPlacesSchema = z.record(z.string(), streamPlaceSchema);
