import { z } from 'zod';
import { idSchema } from './id-schema.ts';
import { ownChannelSchema } from './channels.ts';
import { membershipSchema } from './members.ts';
import { permissionListSchema, roleSchema } from './roles.ts';
import { storableText } from './text.ts';
import { oneLine, usernameSchema } from './users.ts';

/** Lengths of what a community is called and says of itself, in characters. Ours. */
export const COMMUNITY_NAME_LENGTH = { min: 2, max: 64 } as const;
export const MOST_COMMUNITY_TEXT_CHARACTERS = 2_048;
/** How many communities a user may be a member of. Ours. */
export const MOST_COMMUNITIES = 100;

/** Which kinds of channels a community may have. Ours. */
export const COMMUNITY_KINDS = ['messages', 'posts', 'both'] as const;

/** Who can find and read a community: everyone, everyone who knows its address, or its members. Ours. */
export const VISIBILITIES = ['public', 'unlisted', 'private'] as const;

/** Who may join a community: everyone, everyone who is accepted, or everyone with an invite. Ours. */
export const JOIN_MODES = ['open', 'request', 'invite'] as const;

const descriptionSchema = storableText(1, MOST_COMMUNITY_TEXT_CHARACTERS)
  .normalize('NFC')
  .trim()
  .min(1);
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

/** A community of the client's own, with everything that is needed to show it: in READY and `COMMUNITY_CREATE`. Ours. */
export const ownCommunitySchema = communitySchema.extend({
  membership: membershipSchema,
  /** What the user may do in the community as a whole. */
  permissions: permissionListSchema,
  roles: z.array(roleSchema),
  /** The channels that the user sees. */
  channels: z.array(ownChannelSchema),
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

/** The communities of a user. Ours. */
export const ownCommunityListSchema = z.array(ownCommunitySchema);

export type Community = z.infer<typeof communitySchema>;
export type OwnCommunity = z.infer<typeof ownCommunitySchema>;
export type NewCommunity = z.infer<typeof newCommunitySchema>;
