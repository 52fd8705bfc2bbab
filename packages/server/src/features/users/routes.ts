import {
  changedUserSchema,
  ownUserSchema,
  registrationSchema,
  registeredSchema,
  userChangeSchema,
  userSchema,
} from '@hearth/protocol/schemas';
import { z } from 'zod';
import { idParams } from '../../http/params.ts';
import { route } from '../../http/route.ts';
import { findProfile, findProfileByName } from '../points/find-points.ts';
import { findMe } from './find-user.ts';
import { register } from './register.ts';
import { updateMe } from './update-me.ts';

const tag = 'users';

/** Routes of the REST service about people. */
export const userRoutes = [
  route({
    method: 'POST',
    path: '/users',
    name: 'register',
    tag,
    summary: 'Register an account, and sign in unless it has to be approved',
    limit: 'account_create',
    countsLate: true,
    auth: 'optional',
    body: registrationSchema,
    answers: registeredSchema,
    throws: ['ForbiddenError', 'ConflictError'],
    handle: register,
  }),
  route({
    method: 'GET',
    path: '/users/me',
    name: 'findMe',
    tag,
    summary: 'Read your own account',
    limit: 'read',
    auth: 'user',
    answers: ownUserSchema,
    handle: findMe,
  }),
  route({
    method: 'PATCH',
    path: '/users/me',
    name: 'updateMe',
    tag,
    summary: 'Change your own account',
    limit: 'write',
    auth: 'user',
    body: userChangeSchema,
    answers: changedUserSchema,
    throws: ['ConflictError'],
    handle: updateMe,
  }),
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
