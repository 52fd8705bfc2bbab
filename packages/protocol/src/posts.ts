import { z } from 'zod';
import { givenFilesSchema } from './channel-messages.ts';
import { UNSAFE_CHARACTERS } from './characters.ts';
import { embedSchema } from './embeds.ts';
import { idSchema } from './id-schema.ts';
import { MOST_NONCE_CHARACTERS } from './lengths.ts';
import { parseUrl } from './parse-url.ts';
import { newPollSchema, pollSchema } from './polls.ts';
import {
  MOST_POST_CHARACTERS,
  MOST_TITLE_CHARACTERS,
  POST_PERIODS,
  POST_SORTS,
} from './post-names.ts';
import { pageQuerySchema } from './page-query.ts';
import { storableText } from './text.ts';
import { attachedFileSchema } from './uploads.ts';
import { userSummarySchema } from './user-summary.ts';
import { oneLine } from './users.ts';
import { totalsSchema, votedValueSchema } from './votes.ts';

/** Ours. */
export const MOST_URL_CHARACTERS = 2_048;

/** A list shows this much of the content of a post, in characters. Ours. */
export const MOST_LISTED_CHARACTERS = 1_000;

/** The number of tags that a post may have. Ours. */
export const MOST_POST_TAGS = 5;

/** The number of posts that may be pinned in a channel. Ours. */
export const MOST_POST_PINS = 10;

const titleSchema = oneLine(1, MOST_TITLE_CHARACTERS);
const contentSchema = storableText(1, MOST_POST_CHARACTERS);
const urlSchema = storableText(1, MOST_URL_CHARACTERS)
  .refine((text) => text.search(UNSAFE_CHARACTERS) === -1, {
    error: 'must not contain line breaks or characters that control the direction of text',
  })
  .refine((text) => isWebAddress(parseUrl(text)), {
    error: 'must be an address that begins with http:// or https://',
  })
  .refine((text) => !namesUser(parseUrl(text)), {
    error: 'must not contain a user name or password',
  })
  // This form is the same for every reader: nothing in it is ignored by browsers.
  .overwrite((text) => parseUrl(text)?.href ?? text)
  .refine((normal) => normal.length <= MOST_URL_CHARACTERS, {
    error: `must have at most ${MOST_URL_CHARACTERS} characters in its normal form`,
  });
const tagIdsSchema = z
  .array(idSchema)
  .max(MOST_POST_TAGS)
  .refine((all) => new Set(all).size === all.length, { error: 'must be given once each' });

/** The place of a message. Ours. */
export const messagePlaceSchema = z.object({ channel_id: idSchema, id: idSchema });

/** A post. Lists have only the beginning of `content`. Ours. */
export const postSchema = z.object({
  id: idSchema,
  channel_id: idSchema,
  community_id: idSchema,
  user: userSummarySchema,
  title: z.string(),
  /** In Markdown. */
  content: z.string().exactOptional(),
  /** Set if `content` goes on. */
  content_cut: z.literal(true).exactOptional(),
  url: z.string().exactOptional(),
  embeds: z.array(embedSchema).exactOptional(),
  attachments: z.array(attachedFileSchema).exactOptional(),
  tag_ids: z.array(idSchema).exactOptional(),
  poll: pollSchema.exactOptional(),
  /** The people whom `content` mentions as `@username`. */
  mentions: z.array(userSummarySchema).exactOptional(),
  created_at: z.int().nonnegative(),
  edited_at: z.int().nonnegative().exactOptional(),
  ...totalsSchema.shape,
  comment_count: z.int().nonnegative(),
  /** The number of comments that were written since the caller was there last. Events never have it. */
  new_comments: z.int().nonnegative().exactOptional(),
  /** The caller's vote. Events never have it. */
  my_vote: votedValueSchema.exactOptional(),
  /** Set if the caller has saved it. Events never have it. */
  saved: z.literal(true).exactOptional(),
  pinned: z.literal(true).exactOptional(),
  /** Set if nobody may comment or vote. */
  locked: z.literal(true).exactOptional(),
  spoiler: z.literal(true).exactOptional(),
  sensitive: z.literal(true).exactOptional(),
  mention_posts: z.array(z.object({ id: idSchema, title: z.string() })).exactOptional(),
  accepted_comment_id: idSchema.exactOptional(),
  /** The message that it was made from, if everyone who sees the post sees that message. */
  from_message: messagePlaceSchema.exactOptional(),
  /** The post that it repeats, if everyone who sees this one sees that one. */
  crosspost_of: idSchema.exactOptional(),
  version: z.int().positive(),
});

/** A page of posts. Ours. */
export const postListSchema = z.array(postSchema);

const writtenSchema = z.object({
  title: titleSchema,
  content: contentSchema.optional(),
  url: urlSchema.optional(),
  tag_ids: tagIdsSchema.optional(),
  spoiler: z.boolean().optional(),
  sensitive: z.boolean().optional(),
});

/** The body of `POST /channels/<id>/posts`. Ours. */
export const newPostSchema = writtenSchema.extend({
  attachments: givenFilesSchema.optional(),
  poll: newPollSchema.optional(),
  /** The message that becomes the post. */
  from_message: messagePlaceSchema.optional(),
  nonce: storableText(0, MOST_NONCE_CHARACTERS).optional(),
});

/** The body of `PATCH /posts/<id>`: what is given changes, and null clears it. Ours. */
export const postChangeSchema = z.object({
  title: titleSchema.optional(),
  content: contentSchema.nullable().optional(),
  url: urlSchema.nullable().optional(),
  tag_ids: tagIdsSchema.optional(),
  spoiler: z.boolean().optional(),
  sensitive: z.boolean().optional(),
  /** For members with PIN. */
  pinned: z.boolean().optional(),
  /** For members with MANAGE_CONTENT. */
  locked: z.boolean().optional(),
});

/** The body of `POST /posts/<id>/crosspost`. Ours. */
export const crosspostSchema = z.object({
  /** The channel that the new post is in. */
  channel_id: idSchema,
  title: titleSchema.optional(),
  nonce: storableText(0, MOST_NONCE_CHARACTERS).optional(),
});

/** The body of `PUT /posts/<id>/accepted`: a comment, or null for none. Ours. */
export const acceptedSchema = z.object({ comment_id: idSchema.nullable() });

/** The query of a list of posts. Ours. */
export const postQuerySchema = pageQuerySchema
  .extend({
    sort: z.enum(POST_SORTS, { error: `must be one of ${POST_SORTS.join(', ')}` }).default('hot'),
    /** With `top` and `controversial` only. */
    since: z.enum(POST_PERIODS, { error: `must be one of ${POST_PERIODS.join(', ')}` }).optional(),
    /** With `new` only. */
    before: idSchema.optional(),
    /** Only posts with this tag. */
    tag: idSchema.optional(),
  })
  .refine(({ sort, since }) => since === undefined || sort === 'top' || sort === 'controversial', {
    path: ['since'],
    error: 'must not be given unless sort is top or controversial',
  })
  .refine(({ sort, before }) => before === undefined || sort === 'new', {
    path: ['before'],
    error: 'must not be given unless sort is new',
  });

/** The query of the posts that somebody has written, or has saved. Ours. */
export const userPostQuerySchema = pageQuerySchema.extend({ before: idSchema.optional() });

export type Post = z.infer<typeof postSchema>;
export type NewPost = z.infer<typeof newPostSchema>;
export type PostChange = z.infer<typeof postChangeSchema>;
export type Crosspost = z.infer<typeof crosspostSchema>;
export type AcceptedInput = z.infer<typeof acceptedSchema>;
export type PostQuery = z.output<typeof postQuerySchema>;

function isWebAddress(url: URL | undefined): boolean {
  return url?.protocol === 'https:' || url?.protocol === 'http:';
}

/** Returns whether an address is one such as `https://bank.example@evil.example/`, which people take for another. */
function namesUser(url: URL | undefined): boolean {
  return url !== undefined && `${url.username}${url.password}` !== '';
}
