import { z } from 'zod';
import { ERROR_FIELDS } from './descriptions/descriptions.ts';
import { EVERYTHING, schemasByName } from './descriptions/everything.ts';
import { errorSchemaOf } from './error-schemas.ts';
import { ERROR_NAMES } from './errors.ts';
import { INTERFACE_VERSION } from './version.ts';

/** The pinned part of the wire: the interface's version and the shape of everything sent, as JSON Schema. */
export interface WireDescription {
  readonly version: string;
  readonly shapes: Readonly<Record<string, z.core.JSONSchema.BaseSchema>>;
}

/** Describes the wire, with the default limits. `wire.json` next to this package's `src` has the last description. */
export function describeWire(): WireDescription {
  const shapes = Object.entries(schemasByName()).map(
    ([name, schema]) =>
      [name, EVERYTHING.describedJson(schema, { io: directionOf(name) })] as const,
  );
  const errors = ERROR_NAMES.map(
    (name) =>
      [name, EVERYTHING.describedJson(errorSchemaOf(name), { fields: ERROR_FIELDS })] as const,
  );
  return { version: INTERFACE_VERSION, shapes: Object.fromEntries([...shapes, ...errors]) };
}

/** Values that are sent as text and parsed are described in the form in which they are sent. */
function directionOf(name: string): 'input' | 'output' {
  return /(Query|Form)$/.test(name) ? 'input' : 'output';
}
