import { z } from 'zod';

/**
 * Data for the page of the web client beside the InstanceInfo: what it finds at its own origin, and what it needs.
 * Ours.
 */
export const ownServicesSchema = z.object({
  /** Their paths, relative to the page. */
  paths: z.object({
    rest: z.string().optional(),
    gateway: z.string().optional(),
    files: z.string().optional(),
  }),
  /** True if the InstanceInfo has their public addresses; otherwise the page's own origin is the best that is known. */
  has_public_url: z.boolean(),
  /** Other addresses of the file service, which messages may name. */
  file_addresses: z.array(z.string()),
  /**
   * Addresses of the file service whose files are listed: what a message names by one of these and does not list does
   * not exist.
   */
  listed_addresses: z.array(z.string()).default([]),
  /** True if the access code is needed; absent if it is not. */
  access_code: z.boolean().exactOptional(),
});

export type OwnServices = z.infer<typeof ownServicesSchema>;
