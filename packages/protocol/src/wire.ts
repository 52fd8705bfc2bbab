import { z } from 'zod';
import { errorSchemaOf } from './error-schemas.ts';
import { ERROR_NAMES } from './errors.ts';
import { DEFAULT_MESSAGE_LIMIT } from './lengths.ts';
import * as schemas from './schemas.ts';
import { INTERFACE_VERSION } from './version.ts';

/** The pinned part of the wire: the interface's version and the shape of everything sent, as JSON Schema. */
export interface WireDescription {
  readonly version: string;
  readonly shapes: Readonly<Record<string, z.core.JSONSchema.BaseSchema>>;
}

/** Describes the wire, with the default limits. `wire.json` next to this package's `src` has the last description. */
export function describeWire(): WireDescription {
  const exported: Readonly<Record<string, unknown>> = {
    ...schemas,
    channelMessageChangeSchema: schemas.channelMessageChangeSchema(DEFAULT_MESSAGE_LIMIT),
    newChannelMessageSchema: schemas.newChannelMessageSchema(DEFAULT_MESSAGE_LIMIT),
    messageChangeSchema: schemas.messageChangeSchema(DEFAULT_MESSAGE_LIMIT),
    messageSchema: schemas.messageSchema(DEFAULT_MESSAGE_LIMIT),
    postedMessageSchema: schemas.postedMessageSchema(DEFAULT_MESSAGE_LIMIT),
    reachInputSchema: schemas.reachInputSchema(DEFAULT_MESSAGE_LIMIT),
    userMessageSchema: schemas.userMessageSchema(DEFAULT_MESSAGE_LIMIT),
  };
  const shapes = Object.entries(exported).flatMap(([name, value]) =>
    value instanceof z.ZodType
      ? [[name.replace(/Schema$/, ''), z.toJSONSchema(value, { io: directionOf(name) })] as const]
      : [],
  );
  const errors = ERROR_NAMES.map((name) => [name, z.toJSONSchema(errorSchemaOf(name))] as const);
  return { version: INTERFACE_VERSION, shapes: Object.fromEntries([...shapes, ...errors]) };
}

/** Values that are sent as text and parsed are described in the form in which they are sent. */
function directionOf(name: string): 'input' | 'output' {
  return /(Query|Form)Schema$/.test(name) ? 'input' : 'output';
}
