import { STATIC_BUCKET } from '@hearth/protocol';
import { z } from 'zod';
import type { Actor } from '../../../actor.ts';
import type { Context } from '../../../context.ts';
import { CONTENT, route } from '../../../http/route.ts';
import { findStatic } from './list-statics.ts';

const params = z.object({ name: z.string() });

const found =
  (disposition: 'inline' | 'attachment') =>
  async (ctx: Context, actor: Actor, { name }: z.infer<typeof params>) => ({
    ...(await findStatic(ctx, actor, name)),
    disposition,
    isImmutable: false,
  });

export const staticRoutes = [
  route({
    method: 'GET',
    path: `/${STATIC_BUCKET}/:name`,
    name: 'fetchStatic',
    tag: 'statics',
    summary: 'Fetch a static file to show it',
    limit: 'fetch_file',
    auth: 'optional',
    params,
    answers: CONTENT,
    handle: found('inline'),
  }),
  route({
    method: 'GET',
    path: `/${STATIC_BUCKET}/:name/download`,
    name: 'downloadStatic',
    tag: 'statics',
    summary: 'Fetch a static file to save it',
    limit: 'fetch_file',
    auth: 'optional',
    params,
    answers: CONTENT,
    handle: found('attachment'),
  }),
];
