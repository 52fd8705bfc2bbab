/** Lenient schemas for messages and files of any server of the documented interface. */
import { z } from 'zod';
import { idSchema } from './id-schema.ts';
import type { Id } from './ids.ts';
import { lenient, type Instead } from './lenient.ts';
import { lobbyMessageSchema, type LobbyMessage, type Message } from './messages.ts';
import { reactionSchema, type Reaction } from './reactions.ts';
import {
  attachedFileSchema,
  fileDataSchema,
  fileMetadataSchema,
  type FileData,
} from './uploads.ts';
import { userSummarySchema, type UserSummary } from './user-summary.ts';

const wholeNumber = z.int().nonnegative();

/** The posted message, however long this server allows it to be. */
export const receivedMessage: z.ZodType<Message> = z.object({
  author: z.string(),
  content: z.string(),
});

/** FileData of any server: the documentation also shows `id` as a number, and allows any lowercase word as `type`. */
export const receivedFileData: z.ZodType<FileData> = fileDataSchema
  .extend({
    id: z.union([z.string(), wholeNumber]).transform(String),
    spoiler: z.boolean().nullish(),
    size: wholeNumber.optional().catch(undefined),
    placeholder: z.string().optional().catch(undefined),
    key: z.string().optional().catch(undefined),
    metadata: z.union([
      fileMetadataSchema,
      z.object({ type: z.string() }).transform(() => ({ type: 'other' as const })),
    ]),
  })
  .transform(({ spoiler, size, placeholder, key, ...data }) => ({
    ...data,
    ...(spoiler === true ? { spoiler } : {}),
    ...(size === undefined ? {} : { size }),
    ...(placeholder === undefined ? {} : { placeholder }),
    ...(key === undefined ? {} : { key }),
  }));

/** Lenient schemas of files, attached or not. What is said about a file is ignored if it cannot be understood. */
export const FILES: Instead = new Map([
  [fileDataSchema, receivedFileData],
  [attachedFileSchema, z.intersection(receivedFileData, attachedFileSchema.pick({ alt: true }))],
]);

/** A message of the lobby. */
export const receivedLobbyMessage = lenient(lobbyMessageSchema, FILES);

/** A reaction. */
export const receivedReaction: z.ZodType<Reaction> = reactionSchema;

/** A list of people. */
export const receivedPeople: z.ZodType<UserSummary[]> = z.array(userSummarySchema);

/** A message as posted, with its id if the server answers with one: Hearth does if there is a token. */
export const receivedPost: z.ZodType<Message & { readonly id?: Id }> = z
  .object({ author: z.string(), content: z.string(), id: idSchema.optional().catch(undefined) })
  .transform(({ id, ...message }) => (id === undefined ? message : { ...message, id }));

/** The answer to `GET /messages`. */
export const receivedMessageList: z.ZodType<LobbyMessage[]> = z.array(receivedLobbyMessage);
