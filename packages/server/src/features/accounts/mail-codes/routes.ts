import {
  nothingSchema,
  ownUserSchema,
  passwordResetRequestSchema,
  passwordResetSchema,
  typedCodeSchema,
} from '@hearth/protocol/schemas';
import { z } from 'zod';
import { route } from '../../../http/route.ts';
import { redeemEmailCode } from './redeem-email-code.ts';
import { requestPasswordReset, sendEmailCode } from './request-codes.ts';
import { resetPassword } from './reset-password.ts';

const common = { tag: 'users', limit: 'auth' } as const;
const params = z.object({ code: typedCodeSchema });

/** Routes of the REST service about codes that are sent by mail. */
export const mailCodeRoutes = [
  route({
    ...common,
    method: 'POST',
    path: '/users/me/email-code',
    name: 'sendEmailCode',
    summary: 'Send a code that verifies your address',
    auth: 'session',
    answers: nothingSchema,
    throws: ['ForbiddenError', 'ConflictError'],
    handle: sendEmailCode,
  }),
  route({
    ...common,
    method: 'PUT',
    path: '/users/me/email-code/:code',
    name: 'redeemEmailCode',
    summary: 'Verify your address with a code',
    auth: 'session',
    params,
    answers: ownUserSchema,
    throws: ['ValidationError', 'ConflictError'],
    handle: redeemEmailCode,
  }),
  route({
    ...common,
    method: 'POST',
    path: '/password-reset',
    name: 'requestPasswordReset',
    summary: 'Send a code for a new password, if an account has the address',
    auth: 'optional',
    body: passwordResetRequestSchema,
    answers: nothingSchema,
    throws: ['ForbiddenError'],
    handle: requestPasswordReset,
  }),
  route({
    ...common,
    method: 'PUT',
    path: '/password-reset/:code',
    name: 'resetPassword',
    summary: 'Choose a new password with a code, and end all sessions',
    auth: 'optional',
    params,
    body: passwordResetSchema,
    answers: nothingSchema,
    handle: resetPassword,
  }),
];
