import {
  ownUserSchema,
  totpRemovalSchema,
  totpSetupAnswerSchema,
  totpSetupSchema,
} from '@hearth/protocol/schemas';
import { route } from '../../../http/route.ts';
import { removeTotp } from './remove-totp.ts';
import { setUpTotp } from './set-up-totp.ts';

const common = { path: '/users/me/totp', tag: 'users', limit: 'auth', auth: 'session' } as const;

/** Routes of the REST service about the second factor. */
export const secondFactorRoutes = [
  route({
    ...common,
    method: 'POST',
    name: 'setUpTotp',
    summary: 'Begin to set up a second factor with your password, and finish with a code',
    body: totpSetupSchema,
    answers: totpSetupAnswerSchema,
    throws: ['ConflictError'],
    handle: setUpTotp,
  }),
  route({
    ...common,
    method: 'DELETE',
    name: 'removeTotp',
    summary: 'Remove your second factor',
    body: totpRemovalSchema,
    answers: ownUserSchema,
    throws: ['NotFoundError'],
    handle: removeTotp,
  }),
];
