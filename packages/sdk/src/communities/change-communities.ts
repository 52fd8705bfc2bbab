import type { Community, Id, OwnCommunity } from '@hearth/protocol';
import { receivedNothing } from '@hearth/protocol/received';
import {
  receivedCommunities,
  receivedCommunity,
  receivedOwnCommunity,
} from '@hearth/protocol/received-communities';
import type { Api } from '../api.ts';
import { pageOf, type Page, type PageQuery } from '../pages.ts';
import { LONGEST_FORM_WAIT_MS } from '../patience.ts';
import type { RequestOptions } from '../types.ts';

/** Changes of a community: fields that are left out stay as they are, and null clears a field. */
export interface CommunityPatch extends Partial<
  Pick<Community, 'name' | 'slug' | 'kind' | 'visibility' | 'join' | 'languages' | 'tags'>
> {
  readonly description?: string | null;
  readonly rules?: string | null;
  /** A picture that the person has uploaded; it becomes public. */
  readonly icon?: Id | null;
  readonly banner?: Id | null;
  readonly sensitive?: boolean;
  /** For the audit log. */
  readonly reason?: string;
}

/** Which communities everyone can find. */
export interface CommunityListQuery extends PageQuery {
  /** Words with which those of the name, the slug or the tags begin. */
  readonly q?: string | undefined;
  /** That with the newest message first (the default), the newest, or the largest. */
  readonly sort?: 'active' | 'new' | 'members' | undefined;
}

/** A removal of a community, which names what it deletes. */
export interface CommunityRemoval {
  readonly current_password: string;
  readonly slug: string;
}

/** The person who becomes the owner. */
export interface Successor {
  readonly user_id: Id;
  /** That of the person who hands the community over. */
  readonly current_password: string;
}

/** A page of the communities that everyone can find. */
export async function listCommunities(
  api: Api,
  { q, sort, cursor, limit }: CommunityListQuery,
  { signal }: RequestOptions = {},
): Promise<Page<Community>> {
  const answer = await api.requestWithHeaders({
    method: 'GET',
    path: '/communities',
    limit: 'list',
    query: { q, sort, cursor, limit },
    answers: receivedCommunities,
    signal,
  });
  return pageOf(answer);
}

/** Changes a community. */
export function changeCommunity(
  api: Api,
  { id, ...body }: CommunityPatch & { readonly id: Id },
  { signal }: RequestOptions = {},
): Promise<Community> {
  return api.request({
    method: 'PATCH',
    path: '/communities/:id',
    params: { id },
    limit: 'write',
    body,
    answers: receivedCommunity,
    signal,
  });
}

/** Deletes a community. */
export async function deleteCommunity(
  api: Api,
  { id, ...body }: CommunityRemoval & { readonly id: Id },
  { signal }: RequestOptions = {},
): Promise<void> {
  await api.request({
    method: 'DELETE',
    path: '/communities/:id',
    params: { id },
    limit: 'write',
    body,
    hasSecret: true,
    longestWaitMs: LONGEST_FORM_WAIT_MS,
    answers: receivedNothing,
    signal,
  });
}

/** Undoes that. */
export function restoreCommunity(
  api: Api,
  id: Id,
  { signal }: RequestOptions = {},
): Promise<OwnCommunity> {
  return api.request({
    method: 'POST',
    path: '/communities/:id/restore',
    params: { id },
    limit: 'write',
    answers: receivedOwnCommunity,
    signal,
  });
}

/** Makes another member the owner. */
export function changeOwner(
  api: Api,
  { id, ...body }: Successor & { readonly id: Id },
  { signal }: RequestOptions = {},
): Promise<Community> {
  return api.request({
    method: 'PUT',
    path: '/communities/:id/owner',
    params: { id },
    limit: 'write',
    body,
    hasSecret: true,
    longestWaitMs: LONGEST_FORM_WAIT_MS,
    answers: receivedCommunity,
    signal,
  });
}
