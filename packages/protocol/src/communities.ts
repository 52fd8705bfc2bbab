import { z } from 'zod';
import { idSchema } from './id-schema.ts';
import { ownChannelSchema } from './channels.ts';
import { languageSchema } from './language.ts';
import { MOST_QUERY_CHARACTERS } from './lengths.ts';
import { membershipSchema, reasonSchema } from './members.ts';
import { pageQuerySchema } from './page-query.ts';
import { permissionListSchema, roleSchema } from './roles.ts';
import { currentPasswordSchema } from './second-factor.ts';
import { shownText, storableText } from './text.ts';
import { oneLine, usernameSchema } from './users.ts';

/** Lengths of what a community is called and says of itself, in characters. Ours. */
export const COMMUNITY_NAME_LENGTH = { min: 2, max: 64 } as const;
export const MOST_COMMUNITY_TEXT_CHARACTERS = 2_048;
/** The number of communities of which a user may be a member. Ours. */
export const MOST_COMMUNITIES = 100;

/** Which kinds of channels a community may have. Ours. */
export const COMMUNITY_KINDS = ['messages', 'posts', 'both'] as const;

/**
 * Visibilities of a community, by who can find and read it: everyone, everyone who knows its address, or its members.
 * Ours.
 */
export const VISIBILITIES = ['public', 'unlisted', 'private'] as const;

/** Ways to join a community: for everyone, everyone who is accepted, or everyone with an invite. Ours. */
export const JOIN_MODES = ['open', 'request', 'invite'] as const;

/** The number of languages and tags that a community may have. Ours. */
export const MOST_COMMUNITY_LANGUAGES = 10;
export const MOST_COMMUNITY_TAGS = 10;

const communityNameSchema = oneLine(COMMUNITY_NAME_LENGTH.min, COMMUNITY_NAME_LENGTH.max);
const tagSchema = oneLine(1, 32).toLowerCase();
const descriptionSchema = shownText(1, MOST_COMMUNITY_TEXT_CHARACTERS);
/** A community, as everyone sees it who may see it. Ours. */
export const communitySchema = z.object({
  id: idSchema,
  /** Its name in addresses. */
  slug: z.string(),
  name: z.string(),
  /** In Markdown. */
  description: z.string().exactOptional(),
  /** The id of a file. */
  icon: idSchema.exactOptional(),
  /** The id of a file. */
  banner: idSchema.exactOptional(),
  /** Rules to which members agree, in Markdown. */
  rules: z.string().exactOptional(),
  kind: z.enum(COMMUNITY_KINDS),
  visibility: z.enum(VISIBILITIES),
  join: z.enum(JOIN_MODES),
  owner_id: idSchema,
  member_count: z.int().nonnegative(),
  languages: z.array(z.string()).exactOptional(),
  tags: z.array(z.string()).exactOptional(),
  sensitive: z.literal(true).exactOptional(),
  /** The instance that the community belongs to, if that is another one. */
  host: z.string().exactOptional(),
  created_at: z.int().nonnegative(),
  /** When it was deleted; until a week later its owner can restore it. Only its owner sees it then. */
  deleted_at: z.int().nonnegative().exactOptional(),
  version: z.int().positive(),
});

/** A community of the client's own, with everything that is needed to show it: in READY and `COMMUNITY_CREATE`. Ours. */
export const ownCommunitySchema = communitySchema.extend({
  membership: membershipSchema,
  /** The user's permissions in the community as a whole. */
  permissions: permissionListSchema,
  roles: z.array(roleSchema),
  /** The channels that the user sees. */
  channels: z.array(ownChannelSchema),
});

/** The body of `POST /communities`. Ours. */
export const newCommunitySchema = z
  .object({
    name: communityNameSchema,
    slug: usernameSchema,
    description: descriptionSchema.optional(),
    kind: z.enum(COMMUNITY_KINDS).default('both'),
    visibility: z.enum(VISIBILITIES).default('private'),
    /** By default `invite` for a private community, and `open` for another one. */
    join: z.enum(JOIN_MODES).optional(),
  })
  .refine(({ visibility, join }) => !(visibility === 'private' && join === 'open'), {
    path: ['join'],
    error: 'must not be open in a private community',
  });

/** The communities of a user. Ours. */
export const ownCommunityListSchema = z.array(ownCommunitySchema);

/** The body of `PATCH /communities/<id>`: what is given changes, and null clears it. Ours. */
export const communityChangeSchema = z.object({
  name: communityNameSchema.optional(),
  slug: usernameSchema.optional(),
  description: descriptionSchema.nullable().optional(),
  rules: descriptionSchema.nullable().optional(),
  /** The id of a picture that the caller has uploaded, which becomes public. */
  icon: idSchema.nullable().optional(),
  /** The id of another such picture. */
  banner: idSchema.nullable().optional(),
  kind: z.enum(COMMUNITY_KINDS).optional(),
  visibility: z.enum(VISIBILITIES).optional(),
  join: z.enum(JOIN_MODES).optional(),
  languages: eachOnce(languageSchema, MOST_COMMUNITY_LANGUAGES).optional(),
  tags: eachOnce(tagSchema, MOST_COMMUNITY_TAGS).optional(),
  sensitive: z.boolean().optional(),
  /** For the audit log. */
  reason: reasonSchema,
});

/** In which order `GET /communities` lists them: that with the newest message, the newest, or the largest first. Ours. */
export const COMMUNITY_SORTS = ['active', 'new', 'members'] as const;

/** The query of `GET /communities`. Ours. */
export const communityQuerySchema = pageQuerySchema.extend({
  /** Only the caller's own communities, also those that nobody else finds. */
  mine: z.enum(['true'], { error: 'must be true' }).optional(),
  /** Words with which those of the name, the slug or the tags begin. */
  q: storableText(0, MOST_QUERY_CHARACTERS).optional(),
  sort: z
    .enum(COMMUNITY_SORTS, { error: `must be one of ${COMMUNITY_SORTS.join(', ')}` })
    .default('active'),
});

/** A page of communities. Ours. */
export const communityListSchema = z.array(communitySchema);

/** The body of `DELETE /communities/<id>`: a person who deletes a community has to write what they delete. Ours. */
export const communityRemovalSchema = z.object({
  current_password: currentPasswordSchema,
  slug: z.string(),
});

/** The time in milliseconds for which a deleted community can be restored: a week. Ours. */
export const RESTORABLE_MS = 7 * 24 * 60 * 60 * 1_000;

/** The body of `PUT /communities/<id>/owner`. Ours. */
export const ownerChangeSchema = z.object({
  /** The member who becomes the owner. */
  user_id: idSchema,
  current_password: currentPasswordSchema,
});

export type CommunityChange = z.infer<typeof communityChangeSchema>;
export type CommunityQuery = z.output<typeof communityQuerySchema>;
export type CommunityRemoval = z.infer<typeof communityRemovalSchema>;
export type OwnerChange = z.infer<typeof ownerChangeSchema>;
export type Community = z.infer<typeof communitySchema>;
export type OwnCommunity = z.infer<typeof ownCommunitySchema>;
export type NewCommunity = z.infer<typeof newCommunitySchema>;

/** A list of at most so many, each of them once. */
function eachOnce<Entry extends z.ZodType<string>>(entry: Entry, most: number) {
  return z
    .array(entry)
    .max(most)
    .refine((all) => new Set(all).size === all.length, { error: 'must be given once each' });
}
