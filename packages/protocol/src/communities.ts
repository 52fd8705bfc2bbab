import { z } from 'zod';
import { idSchema } from './id-schema.ts';
import { channelStubSchema } from './channels.ts';
import { membershipSchema } from './members.ts';
import { pageLimitSchema } from './page-limit.ts';
import { permissionListSchema, roleSchema } from './roles.ts';
import { currentPasswordSchema } from './second-factor.ts';
import { storableText } from './text.ts';
import { oneLine, usernameSchema } from './users.ts';

/** Lengths of what a community is called and says of itself, in characters. Ours. */
export const COMMUNITY_NAME_LENGTH = { min: 2, max: 64 } as const;
export const MOST_COMMUNITY_TEXT_CHARACTERS = 2_048;
export const MOST_RULES_CHARACTERS = 10_000;

/** How many communities a user may be a member of. Ours. */
export const MOST_COMMUNITIES = 100;

/** How many tags and languages a community may name. Ours. */
export const MOST_COMMUNITY_TAGS = 10;

/** Which kinds of channels a community may have. Ours. */
export const COMMUNITY_KINDS = ['messages', 'posts', 'both'] as const;

/** Who can find and read a community: everyone, everyone who knows its address, or its members. Ours. */
export const VISIBILITIES = ['public', 'unlisted', 'private'] as const;

/** Who may join a community: everyone, everyone who is accepted, or everyone with an invite. Ours. */
export const JOIN_MODES = ['open', 'request', 'invite'] as const;

/** The orders of a list of communities. Ours. */
export const COMMUNITY_SORTS = ['active', 'new', 'members'] as const;

const descriptionSchema = storableText(1, MOST_COMMUNITY_TEXT_CHARACTERS)
  .normalize('NFC')
  .trim()
  .min(1);
const rulesSchema = storableText(1, MOST_RULES_CHARACTERS).normalize('NFC').trim().min(1);

/** A language as BCP 47 names it, such as `de` or `pt-BR`. */
const languageSchema = z.string().regex(/^[a-zA-Z]{2,3}(?:-[a-zA-Z0-9]{2,8}){0,3}$/, {
  error: 'must be languages such as en or pt-BR',
});

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
  /** What members agree to, in Markdown. */
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

/** A list of communities. Ours. */
export const communityListSchema = z.array(communitySchema);

/** A community of the client's own, with everything that is needed to show it: in READY and `COMMUNITY_CREATE`. Ours. */
export const ownCommunitySchema = communitySchema.extend({
  membership: membershipSchema,
  /** What the user may do in the community as a whole. */
  permissions: permissionListSchema,
  roles: z.array(roleSchema),
  /** The channels that the user sees. */
  channels: z.array(channelStubSchema),
});

/** What `POST /communities` takes. Ours. */
export const newCommunitySchema = z
  .object({
    name: oneLine(COMMUNITY_NAME_LENGTH.min, COMMUNITY_NAME_LENGTH.max),
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

/** What `PATCH /communities/<id>` takes: what is given changes, and null clears it. Ours. */
export const communityChangeSchema = z.object({
  name: oneLine(COMMUNITY_NAME_LENGTH.min, COMMUNITY_NAME_LENGTH.max).optional(),
  slug: usernameSchema.optional(),
  description: descriptionSchema.nullable().optional(),
  icon: idSchema.nullable().optional(),
  banner: idSchema.nullable().optional(),
  rules: rulesSchema.nullable().optional(),
  kind: z.enum(COMMUNITY_KINDS).optional(),
  visibility: z.enum(VISIBILITIES).optional(),
  join: z.enum(JOIN_MODES).optional(),
  languages: z.array(languageSchema).max(MOST_COMMUNITY_TAGS).nullable().optional(),
  tags: z.array(oneLine(2, 32)).max(MOST_COMMUNITY_TAGS).nullable().optional(),
  sensitive: z.boolean().optional(),
});

/** The query of `GET /communities`. Ours. */
export const communityQuerySchema = z.object({
  /** Whether only those are listed of which the caller is a member. */
  mine: z.enum(['true', 'false']).optional(),
  /** Words that the name, the slug or the description has. */
  q: storableText(0, 100).optional(),
  sort: z.enum(COMMUNITY_SORTS).default('active'),
  cursor: z.string().max(512).optional(),
  limit: pageLimitSchema(),
});

/** What `DELETE /communities/<id>` takes: two confirmations. Ours. */
export const communityRemovalSchema = z.object({
  current_password: currentPasswordSchema,
  /** The slug of the community. */
  slug: z.string().max(64),
});

/** What `PUT /communities/<id>/owner` takes. Ours. */
export const newOwnerSchema = z.object({
  user_id: idSchema,
  current_password: currentPasswordSchema,
});

export type Community = z.infer<typeof communitySchema>;
export type OwnCommunity = z.infer<typeof ownCommunitySchema>;
export type NewCommunity = z.infer<typeof newCommunitySchema>;
export type CommunityChange = z.infer<typeof communityChangeSchema>;
export type CommunityQuery = z.infer<typeof communityQuerySchema>;
export type CommunityRemoval = z.infer<typeof communityRemovalSchema>;
