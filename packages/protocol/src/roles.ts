import { z } from 'zod';
import { idSchema } from './id-schema.ts';
import { PERMISSIONS, type Permission } from './permissions.ts';
import { oneLine } from './users.ts';

/** The number of roles that a community may have besides the everyone role. Ours. */
export const MOST_ROLES = 100;

/** The number of characters that the name of a role may have. Ours. */
export const MOST_ROLE_NAME_CHARACTERS = 64;

const permissionSchema = z.enum(
  // Guarantee: there is at least one.
  Object.keys(PERMISSIONS) as [Permission, ...Permission[]],
);

/** A set of permissions, as it is sent: each name once, in any order. Ours. */
export const permissionListSchema = z.array(permissionSchema);

/** A set of permissions as a client gives it: names that the instance does not know are refused. */
const givenPermissionsSchema = z.array(permissionSchema).max(64);

/** A colour, as `#` and six hexadecimal digits in lower case. */
const colourSchema = z
  .string()
  .toLowerCase()
  .regex(/^#[0-9a-f]{6}$/, { error: 'must be a colour such as #3366cc' });

/** A role of a community. The everyone role has the id of the community and position 0; a higher position is stronger. Ours. */
export const roleSchema = z.object({
  id: idSchema,
  community_id: idSchema,
  name: z.string(),
  colour: z.string().exactOptional(),
  /** Set if its members are listed apart. */
  hoisted: z.literal(true).exactOptional(),
  /** Set if every member may mention it. */
  mentionable: z.literal(true).exactOptional(),
  /** Set if members may give it to themselves, and take it off. */
  self_assignable: z.literal(true).exactOptional(),
  position: z.int().nonnegative(),
  permissions: permissionListSchema,
  version: z.int().positive(),
});

/** The roles of a community, the weakest first. Ours. */
export const roleListSchema = z.array(roleSchema);

/** The body of `POST /communities/<id>/roles`. Ours. */
export const newRoleSchema = z.object({
  name: oneLine(1, MOST_ROLE_NAME_CHARACTERS),
  colour: colourSchema.optional(),
  hoisted: z.boolean().default(false),
  mentionable: z.boolean().default(false),
  self_assignable: z.boolean().default(false),
  permissions: givenPermissionsSchema.default([]),
});

/** The body of `PATCH /communities/<id>/roles/<role>`: what is given changes, and null clears it. Ours. */
export const roleChangeSchema = z.object({
  name: oneLine(1, MOST_ROLE_NAME_CHARACTERS).optional(),
  colour: colourSchema.nullable().optional(),
  hoisted: z.boolean().optional(),
  mentionable: z.boolean().optional(),
  self_assignable: z.boolean().optional(),
  permissions: givenPermissionsSchema.optional(),
});

/** The body of `PUT /communities/<id>/roles/order`: all roles but the everyone role, the weakest first. Ours. */
export const roleOrderSchema = z.object({ ids: z.array(idSchema).max(MOST_ROLES) });

export type Role = z.infer<typeof roleSchema>;
export type NewRole = z.infer<typeof newRoleSchema>;
export type RoleChange = z.infer<typeof roleChangeSchema>;
export type RoleOrder = z.infer<typeof roleOrderSchema>;
