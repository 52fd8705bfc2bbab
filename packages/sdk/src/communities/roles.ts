import type { Id, NewRole, Role, RoleChange } from '@hearth/protocol';
import { receivedNothing } from '@hearth/protocol/received';
import { receivedRole, receivedRoles } from '@hearth/protocol/received-communities';
import type { Api } from '../api.ts';
import type { RequestOptions } from '../types.ts';
import type { CommunityStore } from './store.ts';

/** A role and its community. */
export interface RoleOf {
  readonly community_id: Id;
  readonly id: Id;
}

/** The roles of communities. What is changed here shows in the store at once. */
export class RolesClient {
  readonly #api: Api;
  readonly #store: Pick<CommunityStore, 'putRole' | 'removeRole'>;

  /** @internal */
  constructor(api: Api, store: Pick<CommunityStore, 'putRole' | 'removeRole'>) {
    this.#api = api;
    this.#store = store;
  }

  /** The roles, the weakest first. */
  list(communityId: Id, { signal }: RequestOptions = {}): Promise<readonly Role[]> {
    return this.#api.request({
      method: 'GET',
      path: '/communities/:community_id/roles',
      params: { community_id: communityId },
      limit: 'list',
      answers: receivedRoles,
      signal,
    });
  }

  /** Adds a role, the weakest besides the everyone role. */
  async create(
    communityId: Id,
    body: Pick<NewRole, 'name'> & Partial<NewRole>,
    { signal }: RequestOptions = {},
  ): Promise<Role> {
    const role = await this.#api.request({
      method: 'POST',
      path: '/communities/:community_id/roles',
      params: { community_id: communityId },
      limit: 'write',
      body,
      answers: receivedRole,
      signal,
    });
    this.#store.putRole(role);
    return role;
  }

  async change(
    { community_id, id }: RoleOf,
    body: RoleChange,
    { signal }: RequestOptions = {},
  ): Promise<Role> {
    const role = await this.#api.request({
      method: 'PATCH',
      path: '/communities/:community_id/roles/:id',
      params: { community_id, id },
      limit: 'write',
      body,
      answers: receivedRole,
      signal,
    });
    this.#store.putRole(role);
    return role;
  }

  async remove({ community_id, id }: RoleOf, { signal }: RequestOptions = {}): Promise<void> {
    await this.#api.request({
      method: 'DELETE',
      path: '/communities/:community_id/roles/:id',
      params: { community_id, id },
      limit: 'write',
      answers: receivedNothing,
      signal,
    });
    this.#store.removeRole({ community_id, id });
  }

  /** Orders all roles but the everyone role, the weakest first. */
  async order(
    communityId: Id,
    ids: readonly Id[],
    { signal }: RequestOptions = {},
  ): Promise<readonly Role[]> {
    const roles = await this.#api.request({
      method: 'PUT',
      path: '/communities/:community_id/roles/order',
      params: { community_id: communityId },
      limit: 'write',
      body: { ids },
      answers: receivedRoles,
      signal,
    });
    for (const role of roles) this.#store.putRole(role);
    return roles;
  }
}
