import type { Community, Id, NewCommunity, OwnCommunity } from '@hearth/protocol';
import { receivedNothing } from '@hearth/protocol/received';
import {
  receivedCommunity,
  receivedOwnCommunities,
  receivedOwnCommunity,
} from '@hearth/protocol/received-communities';
import type { Api } from '../api.ts';
import type { RequestOptions } from '../types.ts';

/** The fields of a new community. By default it is private, and has channels of both kinds. */
export type CommunityInput = Pick<NewCommunity, 'name' | 'slug'> & Partial<NewCommunity>;

/** Makes a community, which the person who is signed in owns. */
export function createCommunity(
  api: Api,
  body: CommunityInput,
  { signal }: RequestOptions = {},
): Promise<OwnCommunity> {
  return api.request({
    method: 'POST',
    path: '/communities',
    limit: 'write',
    body,
    answers: receivedOwnCommunity,
    signal,
  });
}

/** A community, as everyone sees it who may see it. */
export function readCommunity(
  api: Api,
  id: Id,
  { signal }: RequestOptions = {},
): Promise<Community> {
  return api.request({
    method: 'GET',
    path: '/communities/:id',
    params: { id },
    limit: 'read',
    answers: receivedCommunity,
    signal,
  });
}

/** The community with a name in addresses. */
export function readCommunityBySlug(
  api: Api,
  slug: string,
  { signal }: RequestOptions = {},
): Promise<Community> {
  return api.request({
    method: 'GET',
    path: '/communities/by-slug/:slug',
    params: { slug },
    limit: 'read',
    answers: receivedCommunity,
    signal,
  });
}

/** The communities of the person who is signed in. */
export function listOwnCommunities(
  api: Api,
  { signal }: RequestOptions = {},
): Promise<readonly OwnCommunity[]> {
  return api.request({
    method: 'GET',
    path: '/users/me/communities',
    limit: 'list',
    answers: receivedOwnCommunities,
    signal,
  });
}

/** One of them. Throws NotFoundError if the person is not a member. */
export function readOwnCommunity(
  api: Api,
  id: Id,
  { signal }: RequestOptions = {},
): Promise<OwnCommunity> {
  return api.request({
    method: 'GET',
    path: '/users/me/communities/:id',
    params: { id },
    limit: 'read',
    answers: receivedOwnCommunity,
    signal,
  });
}

/** Makes the person who is signed in a member. */
export function joinCommunity(
  api: Api,
  id: Id,
  { signal }: RequestOptions = {},
): Promise<OwnCommunity> {
  return api.request({
    method: 'PUT',
    path: '/communities/:id/members/me',
    params: { id },
    limit: 'write',
    answers: receivedOwnCommunity,
    signal,
  });
}

/** Ends the membership of the person who is signed in. */
export async function leaveCommunity(
  api: Api,
  id: Id,
  { signal }: RequestOptions = {},
): Promise<void> {
  await api.request({
    method: 'DELETE',
    path: '/communities/:id/members/me',
    params: { id },
    limit: 'write',
    answers: receivedNothing,
    signal,
  });
}
