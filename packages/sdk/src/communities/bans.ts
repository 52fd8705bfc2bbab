import type { Ban, BanInput, Id } from '@hearth/protocol';
import { receivedNothing } from '@hearth/protocol/received';
import { receivedBan, receivedBans } from '@hearth/protocol/received-communities';
import type { Api } from '../api.ts';
import { entriesOf, pageOf, type Page, type PageQuery } from '../pages.ts';
import type { RequestOptions } from '../types.ts';
import type { MemberOf, Reason } from './members.ts';

/** The bans of communities. */
export class BansClient {
  readonly #api: Api;

  /** @internal */
  constructor(api: Api) {
    this.#api = api;
  }

  /** A page of the bans, the newest first. */
  async list(
    communityId: Id,
    { cursor, limit }: PageQuery = {},
    { signal }: RequestOptions = {},
  ): Promise<Page<Ban>> {
    const answer = await this.#api.requestWithHeaders({
      method: 'GET',
      path: '/communities/:community_id/bans',
      params: { community_id: communityId },
      limit: 'list',
      query: { cursor, limit },
      answers: receivedBans,
      signal,
    });
    return pageOf(answer);
  }

  /** All bans, page by page. */
  all(communityId: Id, options: RequestOptions = {}): AsyncGenerator<Ban, void, undefined> {
    return entriesOf((cursor) => this.list(communityId, { cursor }, options));
  }

  /** Throws NotFoundError if the person is not banned. */
  find({ community_id, user_id }: MemberOf, { signal }: RequestOptions = {}): Promise<Ban> {
    return this.#api.request({
      method: 'GET',
      path: '/communities/:community_id/bans/:user_id',
      params: { community_id, user_id },
      limit: 'read',
      answers: receivedBan,
      signal,
    });
  }

  /** Bans somebody, member or not, or changes the ban; `delete_seconds` removes what they posted in that time. */
  set(
    { community_id, user_id }: MemberOf,
    body: BanInput = {},
    { signal }: RequestOptions = {},
  ): Promise<Ban> {
    return this.#api.request({
      method: 'PUT',
      path: '/communities/:community_id/bans/:user_id',
      params: { community_id, user_id },
      limit: 'moderate',
      body,
      answers: receivedBan,
      signal,
    });
  }

  /** Ends a ban. */
  async lift(
    { community_id, user_id }: MemberOf,
    { reason, signal }: RequestOptions & Reason = {},
  ): Promise<void> {
    await this.#api.request({
      method: 'DELETE',
      path: '/communities/:community_id/bans/:user_id',
      params: { community_id, user_id },
      limit: 'moderate',
      query: { reason },
      answers: receivedNothing,
      signal,
    });
  }
}
