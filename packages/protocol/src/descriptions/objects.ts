import { DEFAULT_MESSAGE_LIMIT } from '../lengths.ts';
import * as schemas from '../object-schemas.ts';
import { Descriptions } from './described.ts';
import { namedSchemas } from './named-schemas.ts';

/** Returns the schemas of objects by the names of their exports, with the default limits. */
export function objectSchemas(): Readonly<Record<string, unknown>> {
  return {
    ...schemas,
    channelMessageChangeSchema: schemas.channelMessageChangeSchema(DEFAULT_MESSAGE_LIMIT),
    newChannelMessageSchema: schemas.newChannelMessageSchema(DEFAULT_MESSAGE_LIMIT),
    messageChangeSchema: schemas.messageChangeSchema(DEFAULT_MESSAGE_LIMIT),
    messageSchema: schemas.messageSchema(DEFAULT_MESSAGE_LIMIT),
    postedMessageSchema: schemas.postedMessageSchema(DEFAULT_MESSAGE_LIMIT),
    reachInputSchema: schemas.reachInputSchema(DEFAULT_MESSAGE_LIMIT),
    userMessageSchema: schemas.userMessageSchema(DEFAULT_MESSAGE_LIMIT),
  };
}

/** Descriptions of objects. What a gateway sends is not among them: to make its schemas takes time at each start. */
export const OBJECTS = new Descriptions(() => namedSchemas(objectSchemas()));
