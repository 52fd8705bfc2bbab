import { ATTACHMENTS_BUCKET } from '@hearth/protocol';
import {
  fileDataSchema,
  fileQuerySchema,
  nothingSchema,
  uploadFormSchema,
} from '@hearth/protocol/schemas';
import { z } from 'zod';
import type { Actor } from '../../../actor.ts';
import type { Context } from '../../../context.ts';
import { idParams } from '../../../http/params.ts';
import { CONTENT, route } from '../../../http/route.ts';
import type { PlaceholdersContext } from '../../platform/contents/contents.ts';
import { accessTo } from './access-to.ts';
import { findUpload, type UploadAddress } from './find-uploads.ts';
import { keeperOf, readFileData } from './read-file-data.ts';
import { removeOwnUpload } from './remove-upload.ts';
import { storeUpload } from './store-upload.ts';

const ofBucket = z.object({ bucket: z.string() });
const ofAttachments = z.object({ id: z.string() });
const ofFile = z.object({ bucket: z.string(), id: z.string() });

/** The address of a file, and its key; without a bucket it is `attachments`. */
type Given = Partial<UploadAddress> & Pick<UploadAddress, 'id'>;

const addressOf = ({ bucket = ATTACHMENTS_BUCKET, id, key }: Given) => ({ bucket, id, key });

const found =
  (disposition: 'inline' | 'attachment') => async (ctx: Context, actor: Actor, given: Given) => {
    const upload = await findUpload(ctx, actor, addressOf(given));
    return { ...upload, ...accessTo(upload), disposition, isImmutable: true };
  };

const described = (ctx: PlaceholdersContext, actor: Actor, given: Given) =>
  readFileData(ctx, actor, addressOf(given));

const uploading = {
  method: 'POST',
  tag: 'uploads',
  limit: 'attachments',
  auth: 'optional',
  body: { form: uploadFormSchema },
  answers: fileDataSchema,
  throws: ['ForbiddenError'],
  handle: storeUpload,
} as const;

const fetching = {
  method: 'GET',
  tag: 'uploads',
  limit: 'fetch_file',
  auth: 'optional',
  query: fileQuerySchema,
} as const;

const secretIn = ({ key }: Given) => key;

export const uploadRoutes = [
  route({ ...uploading, path: '/', name: 'uploadFile', summary: 'Upload an attachment' }),
  route({
    ...uploading,
    path: `/${ATTACHMENTS_BUCKET}`,
    name: 'uploadFileOfBucket',
    summary: 'Upload an attachment',
  }),
  // Refuses every other bucket, so the OpenAPI document does not mention it.
  route({
    ...uploading,
    path: '/:bucket',
    params: ofBucket,
    isHidden: true,
    name: 'uploadFileOfOtherBucket',
    summary: 'Upload to another bucket, which is refused',
  }),
  ...fileRoutes('/:id', { params: ofAttachments, suffix: '' }),
  ...fileRoutes('/:bucket/:id', { params: ofFile, suffix: 'OfBucket' }),
];

/** The route of the REST service about one's own uploads. */
export const ownUploadRoutes = [
  route({
    method: 'DELETE',
    path: '/users/me/uploads/:id',
    name: 'removeOwnUpload',
    tag: 'users',
    summary: 'Remove a file that you have uploaded',
    limit: 'write',
    auth: 'user',
    params: idParams,
    answers: nothingSchema,
    handle: removeOwnUpload,
  }),
];

function fileRoutes(
  path: string,
  { params, suffix }: { params: typeof ofAttachments | typeof ofFile; suffix: string },
) {
  return [
    route({
      ...fetching,
      path,
      params,
      name: `fetchFile${suffix}`,
      summary: 'Fetch a file to show it',
      answers: CONTENT,
      secretIn,
      handle: found('inline'),
    }),
    route({
      ...fetching,
      path: `${path}/download`,
      params,
      name: `downloadFile${suffix}`,
      summary: 'Fetch a file to save it',
      answers: CONTENT,
      secretIn,
      handle: found('attachment'),
    }),
    route({
      ...fetching,
      path: `${path}/data`,
      params,
      name: `describeFile${suffix}`,
      summary: 'Read the FileData of a file',
      answers: fileDataSchema,
      keptBy: keeperOf,
      handle: described,
    }),
  ];
}
