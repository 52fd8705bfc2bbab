import {
  accountRemovalSchema,
  changedUserSchema,
  nothingSchema,
  ownUserSchema,
  userChangeSchema,
} from '@hearth/protocol/schemas';
import { route } from '../../../http/route.ts';
import { deleteMe } from './delete-me.ts';
import { findMe } from './find-me.ts';
import { updateMe } from './update-me.ts';

const tag = 'users';

/** Routes of the REST service about the account of the person who asks. */
export const ownAccountRoutes = [
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
    auth: 'session',
    body: userChangeSchema,
    answers: changedUserSchema,
    throws: ['ConflictError'],
    handle: updateMe,
  }),
  route({
    method: 'DELETE',
    path: '/users/me',
    name: 'deleteMe',
    tag,
    summary: 'Delete your account',
    limit: 'write',
    auth: 'session',
    body: accountRemovalSchema,
    answers: nothingSchema,
    throws: ['ConflictError'],
    handle: deleteMe,
  }),
];
