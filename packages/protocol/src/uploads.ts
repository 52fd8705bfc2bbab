import { z } from 'zod';

const size = { width: z.int().positive(), height: z.int().positive() };

/** Facts about a file's content, depending on `type`; sizes are in pixels (Resources: FileMetadata). */
export const fileMetadataSchema = z.discriminatedUnion('type', [
  z.object({ type: z.literal('text') }),
  z.object({ type: z.literal('image'), ...size }),
  z.object({ type: z.literal('video'), ...size }),
  z.object({ type: z.literal('other') }),
]);

/** Resources: FileMetadata. */
export type FileMetadata = z.infer<typeof fileMetadataSchema>;

/**
 * A stored file; `spoiler` is omitted unless it is true (Resources: FileData). `size`, `placeholder` and `key` are
 * ours, and other servers leave them out.
 */
export const fileDataSchema = z.object({
  id: z.string(),
  name: z.string(),
  bucket: z.string(),
  spoiler: z.literal(true).optional(),
  metadata: fileMetadataSchema,
  /** The file's length in bytes. */
  size: z.int().positive().exactOptional(),
  /** A blurred version of a picture as it is shown, with its orientation applied: a ThumbHash, in base64. */
  placeholder: z.string().exactOptional(),
  /** The key with which a file that was uploaded with a token is fetched, as `?key=<key>`. */
  key: z.string().exactOptional(),
});

/** Resources: FileData. */
export type FileData = z.infer<typeof fileDataSchema>;

/** A file that belongs to a message. Ours. */
export const attachedFileSchema = fileDataSchema.extend({
  /** A description of it for people who do not see it. */
  alt: z.string().exactOptional(),
});

export type AttachedFile = z.infer<typeof attachedFileSchema>;

/** The query of a file: the key that it was uploaded with. Other files ignore it. Ours. */
export const fileQuerySchema = z.object({ key: z.string().optional() });
