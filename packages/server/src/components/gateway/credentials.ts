import { z } from 'zod';
import { streamPlaceSchema } from '@hearth/protocol/schemas';
import type { StreamName, StreamPosition } from '../../ports/bus/bus.ts';

/** The data that a client of profile 2 sends about itself. */
export interface Credentials {
  /** Undefined for guests. */
  readonly token: string | undefined;
  /**
   * The place where it wants to continue, by stream; undefined for a place that cannot be understood. Guests may
   * resume, too.
   */
  readonly resume: ReadonlyMap<StreamName, StreamPosition | undefined> | undefined;
  readonly asksOnline: boolean;
  readonly asksPauses: boolean;
}

const given = z.object({
  token: z.string().optional(),
  // A client may have stored anything. What cannot be understood is not continued, and everything else works.
  resume: z.record(z.string(), z.unknown()).optional().catch(undefined),
  online: z.unknown().optional(),
  pauses: z.unknown().optional(),
});

/** The data of AUTHENTICATE; undefined if it does not say whether the client is a guest. */
export function readCredentials(d: unknown): Credentials | undefined {
  const { data } = given.safeParse(d === undefined ? {} : d);
  if (data === undefined) return undefined;
  const { token, resume, online, pauses } = data;
  return {
    token,
    resume: resume && new Map(Object.entries(resume).map(([name, at]) => [name, placeOf(at)])),
    asksOnline: online === true,
    asksPauses: pauses === true,
  };
}

function placeOf(value: unknown): StreamPosition | undefined {
  const { data } = streamPlaceSchema.safeParse(value);
  if (data === undefined) return undefined;
  const [epoch, position] = data;
  return { epoch, position };
}
