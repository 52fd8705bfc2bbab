import { MEDIA_PATH } from '@hearth/protocol';
import { mediaQuerySchema } from '@hearth/protocol/schemas';
import { z } from 'zod';
import { CONTENT, route } from '../../../http/route.ts';
import { acceptedFormat } from './accepted-format.ts';
import { findMedia } from './find-media.ts';

/** `GET /media/<id>` of the file service. */
export const mediaRoutes = [
  route({
    method: 'GET',
    path: `/${MEDIA_PATH}/:id`,
    name: 'fetchMedia',
    tag: 'uploads',
    summary: 'Fetch a file, or a smaller version of a picture, to be shown in a page',
    limit: 'fetch_media',
    auth: 'optional',
    params: z.object({ id: z.string() }),
    query: mediaQuerySchema,
    headers: z.object({ accept: z.string().optional() }),
    answers: CONTENT,
    keyedBy: ({ size, accept }) => (size === undefined ? '' : `${size} ${acceptedFormat(accept)}`),
    secretIn: ({ key }) => key,
    handle: findMedia,
  }),
];
