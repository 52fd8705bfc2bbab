import { z } from 'zod';
import { idSchema } from './id-schema.ts';
import {
  MOST_DELETED_MESSAGES,
  MOST_MESSAGE_ATTACHMENTS,
  MOST_NONCE_CHARACTERS,
} from './lengths.ts';
import { pageLimitSchema } from './page-limit.ts';
import { reactionSchema } from './reactions.ts';
import { storableText } from './text.ts';
import { attachedFileSchema } from './uploads.ts';
import { userSummarySchema } from './user-summary.ts';

/** The number of characters that the description of an attached file may have. Ours. */
export const MOST_ALT_CHARACTERS = 1_024;

/** The number of messages that may be pinned in a channel. Ours. */
export const MOST_PINS = 100;

const altSchema = storableText(1, MOST_ALT_CHARACTERS);

/** Files that the caller has uploaded, as they are attached to something. Ours. */
export const givenFilesSchema = z
  .array(z.object({ id: idSchema, alt: altSchema.optional() }))
  .max(MOST_MESSAGE_ATTACHMENTS);

/** The message that another one replies to. Ours. */
export const replyTargetSchema = z.object({
  id: idSchema,
  /** Absent, like `excerpt`, once the message was deleted. */
  author: z.string().exactOptional(),
  user: userSummarySchema.exactOptional(),
  /** The beginning of its content. */
  excerpt: z.string().exactOptional(),
});

/** A message of a channel of a community. Programs that know only the documented Message can show it. Ours. */
export const channelMessageSchema = z.object({
  id: idSchema,
  channel_id: idSchema,
  author: z.string(),
  /** Empty only if there are attachments. */
  content: z.string(),
  user: userSummarySchema.exactOptional(),
  created_at: z.int().nonnegative(),
  edited_at: z.int().nonnegative().exactOptional(),
  reply_to: replyTargetSchema.exactOptional(),
  attachments: z.array(attachedFileSchema).exactOptional(),
  /** The people whom `content` mentions as `@username`. */
  mentions: z.array(userSummarySchema).exactOptional(),
  /** The roles that `content` mentions as `@role-name`. */
  mention_roles: z.array(idSchema).exactOptional(),
  /** The channels that `content` mentions as `#name`, all of which everyone sees who sees the message. */
  mention_channels: z.array(idSchema).exactOptional(),
  /** Set if `@all` in `content` mentions everyone who sees the channel. */
  mentions_all: z.literal(true).exactOptional(),
  /** The kind that somebody reacted with first comes first. */
  reactions: z.array(reactionSchema).exactOptional(),
  pinned: z.literal(true).exactOptional(),
  /** `post` if the message shows that `post_id` was posted. */
  kind: z.literal('post').exactOptional(),
  /** The post that was made from it, or that it shows, if everyone who sees the message sees that post. */
  post_id: idSchema.exactOptional(),
  /** The posts whose addresses on the instance are in `content`, all of which everyone sees who sees the message. */
  mention_posts: z.array(z.object({ id: idSchema, title: z.string() })).exactOptional(),
  version: z.int().positive(),
});

/** The messages of a channel, the newest first. Ours. */
export const channelMessageListSchema = z.array(channelMessageSchema);

/** The body of `POST /channels/<id>/messages`. Ours. */
export const newChannelMessageSchema = (messageLimit: number) =>
  z
    .object({
      content: storableText(0, messageLimit).default(''),
      reply_to: idSchema.optional(),
      attachments: givenFilesSchema.optional(),
      nonce: storableText(0, MOST_NONCE_CHARACTERS).optional(),
    })
    .refine(({ content, attachments = [] }) => content !== '' || attachments.length > 0, {
      path: ['content'],
      error: 'must be given unless there are attachments',
    });

/** The body of `PATCH /channels/<id>/messages/<message>`. Ours. */
export const channelMessageChangeSchema = (messageLimit: number) =>
  z.object({ content: storableText(0, messageLimit) });

/** The body of `POST /channels/<id>/messages/delete-many`. Unknown ids are ignored. Ours. */
export const messageIdsSchema = z.object({
  ids: z.array(idSchema).min(1).max(MOST_DELETED_MESSAGES),
});

/** A former content of a message, the newest first in a list; only moderators see it. Ours. */
export const messageVersionSchema = z.object({
  version: z.int().positive(),
  content: z.string(),
  /** Until when the message had this content. */
  replaced_at: z.int().nonnegative(),
});

/** The number up to which the people are counted whom a message that is being written reaches. Ours. */
export const MOST_COUNTED_REACH = 1_000;

/** The body of `POST /channels/<id>/reach`. Ours. */
export const reachInputSchema = (messageLimit: number) =>
  z.object({ content: storableText(0, messageLimit) });

/** The number of people whom a text would mention, at most {@link MOST_COUNTED_REACH}. Ours. */
export const reachSchema = z.object({ people: z.int().nonnegative() });

/** The query of `GET /channels/<id>/messages/<message>/versions`. Ours. */
export const versionQuerySchema = z.object({
  before: z
    .string()
    .regex(/^[1-9]\d{0,9}$/, { error: 'must be a version' })
    .transform(Number)
    .optional()
    .meta({ type: 'integer', minimum: 1 }),
  limit: pageLimitSchema(),
});

export const messageVersionListSchema = z.array(messageVersionSchema);

export type ChannelMessage = z.infer<typeof channelMessageSchema>;
export type ReplyTarget = z.infer<typeof replyTargetSchema>;
export type NewChannelMessage = z.infer<ReturnType<typeof newChannelMessageSchema>>;
export type ChannelMessageChange = z.infer<ReturnType<typeof channelMessageChangeSchema>>;
export type Reach = z.infer<typeof reachSchema>;
export type MessageVersion = z.infer<typeof messageVersionSchema>;
