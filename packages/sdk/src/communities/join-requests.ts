import type { Id, JoinRequest, JoinRequestInput, Member } from '@hearth/protocol';
import { receivedNothing } from '@hearth/protocol/received';
import {
  receivedJoinRequest,
  receivedJoinRequests,
  receivedMember,
} from '@hearth/protocol/received-communities';
import type { Api } from '../api.ts';
import { entriesOf, pageOf, type Page, type PageQuery } from '../pages.ts';
import type { RequestOptions } from '../types.ts';
import type { MemberOf, Reason } from './members.ts';

/** Requests to join communities: the person's own, and those that moderators decide about. */
export class JoinRequestsClient {
  readonly #api: Api;

  /** @internal */
  constructor(api: Api) {
    this.#api = api;
  }

  /** A page of those who wait, the longest first. */
  async list(
    communityId: Id,
    { cursor, limit }: PageQuery = {},
    { signal }: RequestOptions = {},
  ): Promise<Page<JoinRequest>> {
    const answer = await this.#api.requestWithHeaders({
      method: 'GET',
      path: '/communities/:community_id/join-requests',
      params: { community_id: communityId },
      limit: 'list',
      query: { cursor, limit },
      answers: receivedJoinRequests,
      signal,
    });
    return pageOf(answer);
  }

  /** All of them, page by page. */
  all(communityId: Id, options: RequestOptions = {}): AsyncGenerator<JoinRequest, void, undefined> {
    return entriesOf((cursor) => this.list(communityId, { cursor }, options));
  }

  /** Makes somebody a member who asks to join. */
  accept({ community_id, user_id }: MemberOf, { signal }: RequestOptions = {}): Promise<Member> {
    return this.#api.request({
      method: 'PUT',
      path: '/communities/:community_id/join-requests/:user_id',
      params: { community_id, user_id },
      limit: 'moderate',
      answers: receivedMember,
      signal,
    });
  }

  async refuse(
    { community_id, user_id }: MemberOf,
    { reason, signal }: RequestOptions & Reason = {},
  ): Promise<void> {
    await this.#api.request({
      method: 'DELETE',
      path: '/communities/:community_id/join-requests/:user_id',
      params: { community_id, user_id },
      limit: 'moderate',
      query: { reason },
      answers: receivedNothing,
      signal,
    });
  }

  /** The person asks to join, or changes what they say to the moderators. */
  ask(
    communityId: Id,
    body: JoinRequestInput = {},
    { signal }: RequestOptions = {},
  ): Promise<JoinRequest> {
    return this.#api.request({
      method: 'PUT',
      path: '/communities/:community_id/join-requests/me',
      params: { community_id: communityId },
      limit: 'write',
      body,
      answers: receivedJoinRequest,
      signal,
    });
  }

  /** The person's own request. Throws NotFoundError if there is none. */
  own(communityId: Id, { signal }: RequestOptions = {}): Promise<JoinRequest> {
    return this.#api.request({
      method: 'GET',
      path: '/communities/:community_id/join-requests/me',
      params: { community_id: communityId },
      limit: 'read',
      answers: receivedJoinRequest,
      signal,
    });
  }

  /** Takes the person's own request back. */
  async withdraw(communityId: Id, { signal }: RequestOptions = {}): Promise<void> {
    await this.#api.request({
      method: 'DELETE',
      path: '/communities/:community_id/join-requests/me',
      params: { community_id: communityId },
      limit: 'write',
      answers: receivedNothing,
      signal,
    });
  }
}
