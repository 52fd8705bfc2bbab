import { z } from 'zod';
import { ID_PATTERN, idSchema } from './id-schema.ts';
import { parseId, type Id } from './ids.ts';
import { pageLimitSchema } from './page-limit.ts';
import { userSummarySchema } from './user-summary.ts';

/** Actions that the audit log of a community records, each with what was done. Ours. */
export const AUDIT_ACTIONS = {
  community_update: 'changed the community',
  community_delete: 'deleted the community, which can still be restored',
  community_restore: 'restored the community',
  owner_change: 'handed the community over',
  role_create: 'added a role',
  role_update: 'changed a role',
  role_delete: 'removed a role',
  roles_order: 'ordered the roles',
  channel_create: 'added a channel or category',
  channel_update: 'changed a channel or category',
  channel_delete: 'removed a channel or category',
  channels_order: 'ordered the channels and categories',
  overwrite_set: 'set what a role or member may do in a channel',
  overwrite_delete: 'removed what a role or member may do in a channel',
  member_update: 'changed the nickname, the roles or the time-out of another member',
  member_kick: 'removed a member',
  ban_create: 'banned somebody, or changed a ban',
  ban_delete: 'lifted a ban',
  invite_create: 'made an invite',
  invite_delete: 'revoked an invite',
  join_accept: 'accepted a request to join',
  join_refuse: 'refused a request to join',
  message_delete: 'deleted a message of somebody else',
  messages_delete: 'deleted several messages',
  message_pin: 'pinned a message',
  message_unpin: 'unpinned a message',
  post_update: 'changed a post of somebody else',
  post_delete: 'deleted a post of somebody else',
  post_pin: 'pinned a post',
  post_unpin: 'unpinned a post',
  post_lock: 'locked a post',
  post_unlock: 'unlocked a post',
  answer_accept: 'accepted an answer to a question of somebody else',
  comment_delete: 'deleted a comment of somebody else',
  votes_view: 'looked at who voted',
} as const satisfies Readonly<Record<string, string>>;

/** An action that the audit log of a community records. */
export type AuditAction = keyof typeof AUDIT_ACTIONS;

/** Kinds of things that an entry of the audit log is about. Ours. */
export const AUDIT_TARGETS = [
  'community',
  'role',
  'channel',
  'user',
  'message',
  'post',
  'comment',
  'invite',
] as const;

const changedValueSchema = z.union([z.string(), z.number(), z.boolean(), z.array(z.string())]);

/** A field that was changed; a value that was not there before, or is not there any more, is absent. Ours. */
export const auditChangeSchema = z.object({
  field: z.string(),
  before: changedValueSchema.exactOptional(),
  after: changedValueSchema.exactOptional(),
});

/** An action of somebody in a community that its moderators may want to know. Ours. */
export const auditEntrySchema = z.object({
  id: idSchema,
  community_id: idSchema,
  /** The person who did it. */
  user: userSummarySchema,
  /** One of {@link AUDIT_ACTIONS}, or one that this version does not know. */
  action: z.string(),
  target: z
    .object({
      /** One of {@link AUDIT_TARGETS}, or one that this version does not know. */
      kind: z.string(),
      id: z.string(),
      /** The name of a role or channel at the time. */
      name: z.string().exactOptional(),
      /** The person that it is about. */
      user: userSummarySchema.exactOptional(),
    })
    .exactOptional(),
  /** The channel that it happened in. Only those who see it see the entry. */
  channel_id: idSchema.exactOptional(),
  reason: z.string().exactOptional(),
  changes: z.array(auditChangeSchema).exactOptional(),
  created_at: z.int().nonnegative(),
});

/** Entries of the audit log, the newest first. Ours. */
export const auditLogSchema = z.array(auditEntrySchema);

/** The query of `GET /communities/<id>/audit-log`. Ours. */
export const auditQuerySchema = z.object({
  after: givenIdSchema('must be the id of an entry').optional(),
  before: givenIdSchema('must be the id of an entry').optional(),
  /** Only what this user did. */
  user: givenIdSchema('must be the id of a user').optional(),
  action: z
    .enum(
      // Guarantee: there is at least one.
      Object.keys(AUDIT_ACTIONS) as [AuditAction, ...AuditAction[]],
      { error: `must be one of ${Object.keys(AUDIT_ACTIONS).join(', ')}` },
    )
    .optional(),
  limit: pageLimitSchema(),
});

export type AuditChange = z.infer<typeof auditChangeSchema>;
export type AuditEntry = z.infer<typeof auditEntrySchema>;
export type AuditQuery = z.output<typeof auditQuerySchema>;
export type AuditTargetKind = (typeof AUDIT_TARGETS)[number];

function givenIdSchema(error: string) {
  return z
    .string()
    .regex(ID_PATTERN, { error })
    .refine((value): value is Id => parseId(value) !== undefined, { error });
}
