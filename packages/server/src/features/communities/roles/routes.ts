import {
  newRoleSchema,
  nothingSchema,
  roleChangeSchema,
  roleListSchema,
  roleOrderSchema,
  roleSchema,
} from '@hearth/protocol/schemas';
import { communityParams, roleParams } from '../../../http/params.ts';
import { route } from '../../../http/route.ts';
import { changeRole } from './change-role.ts';
import { createRole } from './create-role.ts';
import { deleteRole } from './delete-role.ts';
import { listRoles, showRole } from './list-roles.ts';
import { orderRoles } from './order-roles.ts';

const tag = 'roles';
const path = '/communities/:community_id/roles';

const reading = { method: 'GET', tag, auth: 'optional', throws: ['ForbiddenError'] } as const;
const writing = { tag, limit: 'write', auth: 'user' } as const;

/** Routes of the REST service about the roles of communities. */
export const roleRoutes = [
  route({
    ...reading,
    path,
    name: 'listRoles',
    summary: 'List the roles of a community, the weakest first',
    limit: 'list',
    params: communityParams,
    answers: roleListSchema,
    handle: listRoles,
  }),
  route({
    ...writing,
    method: 'POST',
    path,
    name: 'createRole',
    summary: 'Add a role, which is the weakest but the everyone role',
    params: communityParams,
    body: newRoleSchema,
    answers: roleSchema,
    throws: ['ForbiddenError', 'ConflictError'],
    handle: createRole,
  }),
  route({
    ...writing,
    method: 'PUT',
    path: `${path}/order`,
    name: 'orderRoles',
    summary: 'Order the roles of a community',
    params: communityParams,
    body: roleOrderSchema,
    answers: roleListSchema,
    throws: ['ForbiddenError'],
    handle: orderRoles,
  }),
  route({
    ...reading,
    path: `${path}/:role_id`,
    name: 'findRole',
    summary: 'Read a role',
    limit: 'read',
    params: roleParams,
    answers: roleSchema,
    handle: showRole,
  }),
  route({
    ...writing,
    method: 'PATCH',
    path: `${path}/:role_id`,
    name: 'changeRole',
    summary: 'Change a role',
    params: roleParams,
    body: roleChangeSchema,
    answers: roleSchema,
    throws: ['ForbiddenError'],
    handle: changeRole,
  }),
  route({
    ...writing,
    method: 'DELETE',
    path: `${path}/:role_id`,
    name: 'deleteRole',
    summary: 'Remove a role',
    params: roleParams,
    answers: nothingSchema,
    throws: ['ForbiddenError'],
    handle: deleteRole,
  }),
];
