import { registeredSchema, registrationSchema } from '@hearth/protocol/schemas';
import { route } from '../../../http/route.ts';
import { register } from './register.ts';

/** The route of the REST service that registers accounts. */
export const registrationRoutes = [
  route({
    method: 'POST',
    path: '/users',
    name: 'register',
    tag: 'users',
    summary: 'Register an account, and sign in unless it has to be approved',
    limit: 'account_create',
    countsLate: true,
    auth: 'optional',
    body: registrationSchema,
    answers: registeredSchema,
    throws: ['ForbiddenError', 'ConflictError'],
    handle: register,
  }),
];
