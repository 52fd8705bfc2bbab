import { ATTACHMENTS_BUCKET, type Embed, type FileData, type Id } from '@hearth/protocol';
import type { Context } from '../../../context.ts';
import { describeUpload, findUploads } from '../uploads/uploads.ts';
import { selectPreviewsOf } from './store.ts';
import type { PreviewKind } from './stored-preview.ts';

/** The previews of these, by their ids. What has none that is ready is left out. */
export async function findPreviews(
  ctx: Context,
  kind: PreviewKind,
  ids: readonly Id[],
): Promise<ReadonlyMap<Id, readonly Embed[]>> {
  if (ids.length === 0 || !ctx.settings.rest.hasLinkPreviews) return new Map();
  const previews = await selectPreviewsOf(ctx.database.reader, kind, ids);
  const pictureIds = previews.flatMap(({ picture_id: id }) => (id === '' ? [] : [id]));
  const uploads =
    pictureIds.length === 0
      ? []
      : await findUploads(ctx, { kind: 'owner' }, { bucket: ATTACHMENTS_BUCKET, ids: pictureIds });
  const pictures = new Map<string, FileData>(
    uploads.map((upload) => [upload.id, describeUpload(upload)]),
  );
  const embeds = new Map<Id, Embed[]>();
  for (const { subject_id: subjectId, url, title, description, ...preview } of previews) {
    const picture = pictures.get(preview.picture_id);
    const embed: Embed = {
      url,
      ...(title === '' ? {} : { title }),
      ...(description === '' ? {} : { description }),
      ...(preview.site_name === '' ? {} : { site_name: preview.site_name }),
      ...(picture === undefined ? {} : { picture }),
    };
    embeds.set(subjectId, [...(embeds.get(subjectId) ?? []), embed]);
  }
  return embeds;
}
