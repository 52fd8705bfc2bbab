import { userSchema } from '@hearth/protocol/schemas';
import { z } from 'zod';
import { idParams } from '../../../http/params.ts';
import { route } from '../../../http/route.ts';
import { findProfile, findProfileByName } from './find-profile.ts';

const tag = 'users';

/** Routes of the REST service about people. */
export const userRoutes = [
  route({
    method: 'GET',
    path: '/users/by-name/:username',
    name: 'findUserByName',
    tag,
    summary: 'Find a person by their name',
    limit: 'read',
    auth: 'optional',
    params: z.object({ username: z.string() }),
    answers: userSchema,
    throws: ['ForbiddenError'],
    handle: findProfileByName,
  }),
  route({
    method: 'GET',
    path: '/users/:id',
    name: 'findUser',
    tag,
    summary: 'Find a person by their id',
    limit: 'read',
    auth: 'optional',
    params: idParams,
    answers: userSchema,
    throws: ['ForbiddenError'],
    handle: findProfile,
  }),
];
