import { STATIC_BUCKET, ValidationError } from '@hearth/protocol';
import type { Actor } from '../../../actor.ts';
import { ASSET_SIZE_OPTION } from '../../../config/instance-options.ts';
import type { Context } from '../../../context.ts';
import { INSTANCE, requirePermission } from '../../../permissions.ts';
import {
  ContentWriter,
  recordContent,
  releasing,
  safeFileName,
  removeReference,
  type SealedContent,
} from '../../platform/contents/contents.ts';
import { lockStatics, putStatic, deleteStatic, type StaticFile } from './store.ts';

export interface NewStatic {
  readonly name: string;
  readonly sizeBytes: number;
  readonly content: AsyncIterable<Uint8Array>;
}

/**
 * Adds a static file, in place of one of the same name. A running instance serves it at once. Throws ForbiddenError,
 * and ValidationError if the name is not a valid file name or the file is larger than `file_size`.
 */
export async function addStatic(ctx: Context, actor: Actor, file: NewStatic): Promise<StaticFile> {
  requirePermission(actor, INSTANCE, 'MANAGE_INSTANCE');
  const { name } = file;
  if (safeFileName(name) !== name) throw new ValidationError('name', 'must be a plain file name');
  refuseTooLarge(ctx, file.sizeBytes);
  const sealed = await receive(ctx, file.content);
  const record = {
    name,
    contentType: await contentTypeOf(name, sealed),
    addedAtMs: ctx.clock.unixMs(),
  };
  const blobKey = await releasing(ctx, (release) =>
    recordContent(
      ctx,
      { bucket: STATIC_BUCKET, sealed, lockFirst: ({ sql }) => lockStatics(sql) },
      async (tx, keptKey) => {
        const replacedKey = await putStatic(tx.sql, { ...record, blobKey: keptKey });
        if (replacedKey !== undefined) await release(tx, replacedKey);
      },
    ),
  );
  return { ...record, blobKey, sha256: sealed.sha256, sizeBytes: sealed.sizeBytes };
}

function receive(ctx: Context, content: AsyncIterable<Uint8Array>): Promise<SealedContent> {
  return ContentWriter.sealed(ctx, async (writer) => {
    for await (const chunk of content) {
      refuseTooLarge(ctx, writer.sizeBytes + chunk.byteLength);
      await writer.write(chunk);
    }
  });
}

function refuseTooLarge(ctx: Context, sizeBytes: number): void {
  const { assetSizeBytes } = ctx.settings.files;
  if (sizeBytes <= assetSizeBytes) return;
  throw new ValidationError(
    'file',
    `must be at most ${assetSizeBytes} bytes (${ASSET_SIZE_OPTION})`,
  );
}

// Unlike uploads, the owner's files may be what their names say: a style sheet is only text by its bytes.
async function contentTypeOf(name: string, sealed: SealedContent): Promise<string> {
  // Only here, because an instance adds no static files itself and would load the list at every start.
  const { default: mime } = await import('mime');
  const byName = mime.getType(name);
  if (byName === null) return sealed.facts.contentType;
  const isUtf8 = byName.startsWith('text/') && sealed.facts.metadata.type === 'text';
  return isUtf8 ? `${byName}; charset=utf-8` : byName;
}

/** Removes a static file. Throws ForbiddenError and NotFoundError. */
export async function removeStatic(ctx: Context, actor: Actor, name: string): Promise<void> {
  requirePermission(actor, INSTANCE, 'MANAGE_INSTANCE');
  await removeReference(ctx, async ({ sql }) => {
    await lockStatics(sql);
    return deleteStatic(sql, name);
  });
}
