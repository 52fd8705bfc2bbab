import { z } from 'zod';
import { idSchema } from './id-schema.ts';
import { postSettingsChangeSchema, postSettingsSchema } from './post-settings.ts';
import { permissionListSchema } from './roles.ts';
import { shownText } from './text.ts';
import { oneLine } from './users.ts';

/** The number of channels that a community may have, categories apart. Ours. */
export const MOST_CHANNELS = 200;

/** The number of categories that a community may have. Ours. */
export const MOST_CATEGORIES = 50;

/** The number of overwrites that a channel may have. Ours. */
export const MOST_OVERWRITES = 50;

export const MOST_CHANNEL_NAME_CHARACTERS = 64;
export const MOST_TOPIC_CHARACTERS = 1_024;

/** The longest slow mode, in seconds: six hours. Ours. */
export const MOST_SLOW_MODE_SECONDS = 6 * 60 * 60;

/** Kinds of channels, by what they hold; a category holds channels. Ours. */
export const CHANNEL_KINDS = ['category', 'messages', 'announcements', 'posts'] as const;

const nameSchema = oneLine(1, MOST_CHANNEL_NAME_CHARACTERS);
const topicSchema = shownText(1, MOST_TOPIC_CHARACTERS);
const slowModeSchema = z.int().nonnegative().max(MOST_SLOW_MODE_SECONDS);

/** Permissions that a role or a member is allowed and denied in a channel or category. Ours. */
export const overwriteSchema = z.object({
  /** The id of the role or of the user. */
  id: idSchema,
  kind: z.enum(['role', 'member']),
  allow: permissionListSchema,
  deny: permissionListSchema,
});

/** A channel, as far as a list of channels shows it. Ours. */
export const channelStubSchema = z.object({
  id: idSchema,
  kind: z.enum(CHANNEL_KINDS),
  name: z.string(),
  category_id: idSchema.exactOptional(),
  /** Channels are listed by their position within their category; those without one come first. */
  position: z.int().nonnegative(),
  /** The id of the newest message or post, which may have been deleted. */
  last_id: idSchema.exactOptional(),
  /** Set if not everyone who sees the community sees it: its events have a stream of their own then. */
  restricted: z.literal(true).exactOptional(),
});

/** A channel that a user sees, as a list of the user's communities shows it. Ours. */
export const ownChannelSchema = channelStubSchema.extend({
  /** The user's permissions there, unless they are the same as in the community. */
  permissions: permissionListSchema.exactOptional(),
});

/** A channel or category of a community. Ours. */
export const channelSchema = channelStubSchema.extend({
  community_id: idSchema,
  topic: z.string().exactOptional(),
  overwrites: z.array(overwriteSchema).exactOptional(),
  /** The time between two messages or posts of one member, in seconds. */
  slow_mode_seconds: z.int().positive().exactOptional(),
  ...postSettingsSchema.shape,
  version: z.int().positive(),
});

/** The channels of a community that the caller sees, in their order. Ours. */
export const channelListSchema = z.array(channelSchema);

/** The body of `POST /communities/<id>/channels`. Ours. */
export const newChannelSchema = z.object({
  kind: z.enum(CHANNEL_KINDS),
  name: nameSchema,
  topic: topicSchema.optional(),
  category_id: idSchema.optional(),
  slow_mode_seconds: slowModeSchema.optional(),
  overwrites: z.array(overwriteSchema).max(MOST_OVERWRITES).optional(),
  ...postSettingsChangeSchema.shape,
});

/** The body of `PATCH /channels/<id>`: what is given changes, and null clears it. Ours. */
export const channelChangeSchema = z.object({
  name: nameSchema.optional(),
  topic: topicSchema.nullable().optional(),
  slow_mode_seconds: slowModeSchema.nullable().optional(),
  ...postSettingsChangeSchema.shape,
});

/** The body of `PUT /communities/<id>/channels/order`: every channel and category, in the new order. Ours. */
export const channelOrderSchema = z.object({
  order: z
    .array(z.object({ id: idSchema, category_id: idSchema.optional() }))
    .max(MOST_CHANNELS + MOST_CATEGORIES),
});

/** The body of `PUT /channels/<id>/overwrites/<role or user>`. Ours. */
export const overwriteChangeSchema = overwriteSchema.omit({ id: true });

export type Channel = z.infer<typeof channelSchema>;
export type OwnChannel = z.infer<typeof ownChannelSchema>;
export type ChannelStub = z.infer<typeof channelStubSchema>;
export type ChannelKind = (typeof CHANNEL_KINDS)[number];
export type NewChannel = z.infer<typeof newChannelSchema>;
export type ChannelChange = z.infer<typeof channelChangeSchema>;
export type ChannelOrder = z.infer<typeof channelOrderSchema>;
export type WrittenOverwrite = z.infer<typeof overwriteSchema>;
export type OverwriteChange = z.infer<typeof overwriteChangeSchema>;
