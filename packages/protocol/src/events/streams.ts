import { z } from 'zod';
import { positionSchema } from './positions.ts';

/** The events of a stream follow, beginning after the position `s` of its `epoch`. For profile 2, ours. */
export const streamOpenSchema = z.object({
  op: z.literal('STREAM_OPEN'),
  d: z.object({ stream: z.string(), epoch: z.string(), s: positionSchema }),
});

/** No more events of a stream follow. For profile 2, ours. */
export const streamCloseSchema = z.object({
  op: z.literal('STREAM_CLOSE'),
  d: z.object({ stream: z.string() }),
});
