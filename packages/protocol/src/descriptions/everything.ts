import * as events from '../server-events.ts';
import { Descriptions } from './described.ts';
import { namedSchemas, type NamedSchemas } from './named-schemas.ts';
import { objectSchemas } from './objects.ts';
import { once } from './once.ts';

/** Every schema of the protocol by its name without `Schema`, with the default limits. */
export const schemasByName: () => NamedSchemas = once(() =>
  namedSchemas({ ...objectSchemas(), ...events }),
);

/** Descriptions of everything that is sent, for the reference and for `wire.json`. */
export const EVERYTHING = new Descriptions(schemasByName);
