import { signedInSchema, signInSchema } from '@hearth/protocol/schemas';
import { route } from '../../../http/route.ts';
import { signIn } from './sign-in.ts';

/** The route of the REST service that signs people in. */
export const signInRoutes = [
  route({
    method: 'POST',
    path: '/auth',
    name: 'signIn',
    tag: 'sessions',
    summary: 'Sign in',
    limit: 'auth',
    countsLate: true,
    auth: 'optional',
    body: signInSchema,
    answers: signedInSchema,
    handle: signIn,
  }),
];
