import { accountRemovalSchema, nothingSchema } from '@hearth/protocol/schemas';
import { route } from '../../http/route.ts';
import { deleteMe } from './delete-me.ts';

/** The route of the REST service that deletes accounts. */
export const erasureRoutes = [
  route({
    method: 'DELETE',
    path: '/users/me',
    name: 'deleteMe',
    tag: 'users',
    summary: 'Delete your account',
    limit: 'write',
    auth: 'user',
    body: accountRemovalSchema,
    answers: nothingSchema,
    throws: ['ConflictError'],
    handle: deleteMe,
  }),
];
