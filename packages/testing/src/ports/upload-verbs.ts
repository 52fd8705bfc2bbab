import type { FileData } from '@hearth/protocol';
import type { Context } from '../../../server/src/context.ts';
import {
  ContentWriter,
  type SealedContent,
} from '../../../server/src/features/platform/contents/content-writer.ts';
import { createUpload } from '../../../server/src/features/files/uploads/create-upload.ts';
import type { OwnerContext } from '../../../server/src/instance.ts';
import { OWNER } from '../../../server/src/actor.ts';
import { countedIds } from './id-source.ts';
import { openTestContext } from '../instances/test-context.ts';

/** A context with its own data that can make identifiers, like that of a running instance. */
export async function openUploadContext(): Promise<OwnerContext> {
  return { ...(await openTestContext()), ids: countedIds() };
}

/** A content that was received but is not recorded yet. */
export async function sealContent(
  ctx: Context,
  bytes: string | Uint8Array,
): Promise<SealedContent> {
  const writer = await ContentWriter.open(ctx);
  await writer.write(Buffer.from(bytes));
  return writer.seal();
}

/** Stores an upload without a listener. */
export async function storeUpload(
  ctx: Context,
  bytes: string | Uint8Array,
  { bucket = 'attachments', name = 'a.bin', spoiler = false } = {},
): Promise<FileData> {
  const sealed = await sealContent(ctx, bytes);
  return createUpload(ctx, OWNER, { bucket, name, spoiler, sealed });
}
