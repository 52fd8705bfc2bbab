import { z } from 'zod';

/** What `GET /capabilities` answers. Clients ignore names that they do not know. Ours. */
export const capabilitiesSchema = z.object({
  /** The gateway's profiles, in ascending order. */
  profiles: z.array(z.int().nonnegative()),
  /** What the instance offers beyond the documented interface; {@link FEATURES} explains the names. */
  features: z.array(z.string()),
  /** Who may register an account. */
  registration: z.enum(['open', 'invite', 'approval', 'closed']),
  /** Who may use the lobby. */
  lobby: z.enum(['open', 'accounts', 'off']),
  /** Bounds that clients must respect. */
  limits: z.object({
    /** Most characters in a message. */
    message_limit: z.int().positive(),
    /** Most characters in a nonce. */
    nonce_limit: z.int().positive(),
    /** Most entries that one request for a list gets. */
    page_limit: z.int().positive(),
    /** Most bytes of an asset. */
    file_size: z.int().positive(),
    /** Most bytes of an attachment. */
    attachment_file_size: z.int().positive(),
  }),
});

/** What an instance can do; clients need not guess it from the version. */
export type Capabilities = z.infer<typeof capabilitiesSchema>;
