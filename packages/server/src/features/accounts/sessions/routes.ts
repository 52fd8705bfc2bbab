import { nothingSchema, sessionListSchema, tokenSchema } from '@hearth/protocol/schemas';
import type { SessionAccount } from '../../../actor.ts';
import type { Context } from '../../../context.ts';
import { idParams } from '../../../http/params.ts';
import { route } from '../../../http/route.ts';
import { endOtherSessions, endSession } from './end-sessions.ts';
import { listSessions } from './list-sessions.ts';
import { renewToken } from './renew-token.ts';

const tag = 'sessions';

const ending = {
  method: 'DELETE',
  tag,
  limit: 'write',
  auth: 'session',
  answers: nothingSchema,
} as const;

/** Routes of the REST service about sessions. */
export const sessionRoutes = [
  route({
    method: 'GET',
    path: '/sessions',
    name: 'listSessions',
    tag,
    summary: 'List your sessions, the one used last first',
    limit: 'list',
    auth: 'session',
    answers: sessionListSchema,
    handle: listSessions,
  }),
  route({
    ...ending,
    path: '/sessions',
    name: 'endOtherSessions',
    summary: 'End all of your sessions but this one',
    handle: endOtherSessions,
  }),
  route({
    ...ending,
    path: '/sessions/current',
    name: 'endCurrentSession',
    summary: 'Sign out',
    handle: (ctx: Context, actor: SessionAccount) =>
      endSession(ctx, actor, { id: actor.credential.id }),
  }),
  route({
    ...ending,
    path: '/sessions/:id',
    name: 'endSession',
    summary: 'End a session of yours',
    params: idParams,
    handle: endSession,
  }),
  route({
    method: 'POST',
    path: '/sessions/current/token',
    name: 'renewToken',
    tag,
    summary: 'Replace the token of this session; the former one is accepted for 60 seconds more',
    limit: 'write',
    auth: 'session',
    answers: tokenSchema,
    throws: ['ConflictError'],
    handle: renewToken,
  }),
];
