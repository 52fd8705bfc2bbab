import { EXPORTS_PATH } from '@hearth/protocol';
import { accountExportSchema } from '@hearth/protocol/schemas';
import { z } from 'zod';
import { CONTENT, route } from '../../../http/route.ts';
import type { Actor } from '../../../actor.ts';
import type { Context } from '../../../context.ts';
import { findArchive, findExport, requestExport } from './request-export.ts';

const tag = 'users';
const path = '/users/me/export';

/** Routes of the REST service about copies of what the instance has of a person. */
export const exportRoutes = [
  route({
    method: 'POST',
    path,
    name: 'requestExport',
    tag,
    summary: 'Ask for a copy of everything that the instance has of you',
    limit: 'write',
    auth: 'session',
    answers: accountExportSchema,
    handle: requestExport,
  }),
  route({
    method: 'GET',
    path,
    name: 'findExport',
    tag,
    summary: 'Read how far that copy is, and where to fetch it',
    limit: 'read',
    auth: 'session',
    answers: accountExportSchema,
    handle: findExport,
  }),
];

/** The route of the file service that serves the archives. */
export const archiveRoutes = [
  route({
    method: 'GET',
    path: `${EXPORTS_PATH}/:key`,
    name: 'fetchExport',
    tag: 'exports',
    summary: 'Fetch the archive of a person',
    limit: 'fetch_file',
    auth: 'optional',
    params: z.object({ key: z.string() }),
    answers: CONTENT,
    handle: async (ctx: Context, actor: Actor, given: { readonly key: string }) => ({
      ...(await findArchive(ctx, actor, given)),
      disposition: 'attachment' as const,
      isImmutable: false,
    }),
  }),
];
