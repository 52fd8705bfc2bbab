import { z } from 'zod';
import { DEFAULT_MESSAGE_LIMIT } from '../lengths.ts';
import * as schemas from '../schemas.ts';
import { once } from './once.ts';

/** Every schema of the protocol by its name without `Schema`, with the default limits. */
export const schemasByName = once((): Readonly<Record<string, z.ZodType>> => {
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
  return Object.fromEntries(
    Object.entries(exported).flatMap(([name, value]) =>
      value instanceof z.ZodType ? [[name.replace(/Schema$/, ''), value] as const] : [],
    ),
  );
});
