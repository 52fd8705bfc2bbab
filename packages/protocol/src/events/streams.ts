import { z } from 'zod';
import { positionSchema } from './positions.ts';

/** The events of a stream follow, beginning after the position `s` of its `epoch`. Profile 2, ours. */
export const streamOpenSchema = z.object({
  op: z.literal('STREAM_OPEN'),
  d: z.object({ stream: z.string(), epoch: z.string(), s: positionSchema }),
});

/** No more events of a stream follow. Profile 2, ours. */
export const streamCloseSchema = z.object({
  op: z.literal('STREAM_CLOSE'),
  d: z.object({ stream: z.string() }),
});

/** Events as gateways of profile 2 send them: with the name of their stream in `t`. */
export function namedSchemas<const Schemas extends readonly z.ZodObject[]>(
  schemas: Schemas,
): Named<Schemas> {
  // Guarantee: each schema is given one more field.
  return schemas.map((schema) => schema.extend({ t: z.string() })) as Named<Schemas>;
}

type Named<Schemas extends readonly z.ZodObject[]> = {
  [Index in keyof Schemas]: Schemas[Index] extends z.ZodObject<infer Shape>
    ? z.ZodObject<Shape & { t: z.ZodString }>
    : never;
};
