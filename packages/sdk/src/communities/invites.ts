import type { CommunityInvite, Id, Invitation, NewCommunityInvite } from '@hearth/protocol';
import { receivedNothing } from '@hearth/protocol/received';
import {
  receivedCommunityInvite,
  receivedCommunityInvites,
  receivedInvitation,
  receivedOwnCommunity,
} from '@hearth/protocol/received-communities';
import type { Api } from '../api.ts';
import type { RequestOptions } from '../types.ts';
import type { Reason } from './members.ts';
import type { MyCommunity } from './my-community.ts';
import type { CommunityStore } from './store.ts';

/** An invite and its community. */
export interface InviteOf {
  readonly community_id: Id;
  readonly code: string;
}

/** Invites to communities. */
export class CommunityInvitesClient {
  readonly #api: Api;
  readonly #store: Pick<CommunityStore, 'put'>;

  /** @internal */
  constructor(api: Api, store: Pick<CommunityStore, 'put'>) {
    this.#api = api;
    this.#store = store;
  }

  /** The invites that can be used, the newest first; those of the person alone if they may not manage invites. */
  list(communityId: Id, { signal }: RequestOptions = {}): Promise<readonly CommunityInvite[]> {
    return this.#api.request({
      method: 'GET',
      path: '/communities/:community_id/invites',
      params: { community_id: communityId },
      limit: 'list',
      answers: receivedCommunityInvites,
      signal,
    });
  }

  create(
    communityId: Id,
    body: NewCommunityInvite = {},
    { signal }: RequestOptions = {},
  ): Promise<CommunityInvite> {
    return this.#api.request({
      method: 'POST',
      path: '/communities/:community_id/invites',
      params: { community_id: communityId },
      limit: 'write',
      body,
      answers: receivedCommunityInvite,
      signal,
    });
  }

  async revoke(
    { community_id, code }: InviteOf,
    { reason, signal }: RequestOptions & Reason = {},
  ): Promise<void> {
    await this.#api.request({
      method: 'DELETE',
      path: '/communities/:community_id/invites/:code',
      params: { community_id, code },
      limit: 'moderate',
      query: { reason },
      answers: receivedNothing,
      signal,
    });
  }

  /** Finds what an invite is for. Throws NotFoundError if it cannot be used. */
  find(code: string, { signal }: RequestOptions = {}): Promise<Invitation> {
    return this.#api.request({
      method: 'GET',
      path: '/invites/:code',
      params: { code },
      limit: 'read',
      answers: receivedInvitation,
      signal,
    });
  }

  /** Joins the community that an invite is for. */
  async accept(code: string, { signal }: RequestOptions = {}): Promise<MyCommunity> {
    const own = await this.#api.request({
      method: 'POST',
      path: '/invites/:code',
      params: { code },
      limit: 'write',
      answers: receivedOwnCommunity,
      signal,
    });
    return this.#store.put(own);
  }
}
