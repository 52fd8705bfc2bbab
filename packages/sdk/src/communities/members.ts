import type { Id, Member, MemberChange } from '@hearth/protocol';
import { receivedNothing } from '@hearth/protocol/received';
import { receivedMember, receivedMembers } from '@hearth/protocol/received-communities';
import type { Api } from '../api.ts';
import { entriesOf, pageOf, type Page, type PageQuery } from '../pages.ts';
import type { RequestOptions } from '../types.ts';

/** A member and their community. */
export interface MemberOf {
  readonly community_id: Id;
  readonly user_id: Id;
}

/** Why a moderator does something, for the audit log. */
export interface Reason {
  readonly reason?: string | undefined;
}

/** Which members. */
export interface MemberQuery extends PageQuery {
  /** The beginning of the username, the display name or the nickname, in any case. */
  readonly q?: string | undefined;
}

/** The members of communities. */
export class MembersClient {
  readonly #api: Api;

  /** @internal */
  constructor(api: Api) {
    this.#api = api;
  }

  /** A page of the members, by the names that are shown. */
  async list(
    communityId: Id,
    { q, cursor, limit }: MemberQuery = {},
    { signal }: RequestOptions = {},
  ): Promise<Page<Member>> {
    const answer = await this.#api.requestWithHeaders({
      method: 'GET',
      path: '/communities/:community_id/members',
      params: { community_id: communityId },
      limit: 'list',
      query: { q, cursor, limit },
      answers: receivedMembers,
      signal,
    });
    return pageOf(answer);
  }

  /**
   * All members, page by page.
   *
   * @example for await (const { user } of client.communities.members.all(id)) console.log(user.username);
   */
  all(
    communityId: Id,
    query: MemberQuery = {},
    options: RequestOptions = {},
  ): AsyncGenerator<Member, void, undefined> {
    return entriesOf((cursor) => this.list(communityId, { ...query, cursor }, options));
  }

  /** Throws NotFoundError if the person is not a member. */
  find({ community_id, user_id }: MemberOf, { signal }: RequestOptions = {}): Promise<Member> {
    return this.#api.request({
      method: 'GET',
      path: '/communities/:community_id/members/:user_id',
      params: { community_id, user_id },
      limit: 'read',
      answers: receivedMember,
      signal,
    });
  }

  /** Changes the nickname, the roles or the time-out of a member; a nickname of null removes it. */
  change(
    { community_id, user_id }: MemberOf,
    body: MemberChange,
    { signal }: RequestOptions = {},
  ): Promise<Member> {
    return this.#api.request({
      method: 'PATCH',
      path: '/communities/:community_id/members/:user_id',
      params: { community_id, user_id },
      limit: 'moderate',
      body,
      answers: receivedMember,
      signal,
    });
  }

  /** Removes a member, who may join again. */
  async kick(
    { community_id, user_id }: MemberOf,
    { reason, signal }: RequestOptions & Reason = {},
  ): Promise<void> {
    await this.#api.request({
      method: 'DELETE',
      path: '/communities/:community_id/members/:user_id',
      params: { community_id, user_id },
      limit: 'moderate',
      query: { reason },
      answers: receivedNothing,
      signal,
    });
  }
}
