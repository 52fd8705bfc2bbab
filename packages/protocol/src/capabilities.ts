import { z } from 'zod';
import { LOBBY_MODES, REGISTRATION_MODES } from './modes.ts';
import { proofChallengeSchema } from './registration.ts';

/** The answer to `GET /capabilities`. Clients ignore names that they do not know. Ours. */
export const capabilitiesSchema = z.object({
  /** The gateway's profiles, in ascending order. */
  profiles: z.array(z.int().nonnegative()),
  /** Features that the instance offers beyond the documented interface; {@link FEATURES} explains the names. */
  features: z.array(z.string()),
  /** The mode of registration: who may register an account. */
  registration: z.enum(REGISTRATION_MODES),
  /**
   * The question that people are asked when they register; absent unless the staff approves accounts and asks
   * something.
   */
  registration_question: z.string().exactOptional(),
  /** A task that has to be solved to register an account; absent if that is not asked for now. */
  proof: proofChallengeSchema.exactOptional(),
  /** The mode of the lobby: who may use it. */
  lobby: z.enum(LOBBY_MODES),
  /** True if the access code is needed to read, to post, to upload and to connect; absent if it is not. */
  access_code: z.boolean().exactOptional(),
  /** The address at which everyone opens the web client, for links to messages; absent if the instance does not know it. */
  web_url: z.string().exactOptional(),
  /** Limits that clients must respect. */
  limits: z.object({
    /** The most characters in a message. */
    message_limit: z.int().positive(),
    /** The most characters in a nonce. */
    nonce_limit: z.int().positive(),
    /** The most entries that one request for a list returns. */
    page_limit: z.int().positive(),
    /** The most bytes in an asset. */
    file_size: z.int().positive(),
    /** The most bytes in an attachment. */
    attachment_file_size: z.int().positive(),
    /** The sizes that `GET /media/<id>` takes: a picture's longer side, in pixels, in ascending order. */
    media_sizes: z.array(z.int().positive()),
  }),
});

/** Capabilities of an instance, so that clients do not have to guess them from the version. */
export type Capabilities = z.infer<typeof capabilitiesSchema>;
