import type {
  AccountExport,
  Entered,
  Id,
  OwnUser,
  Pending,
  Registration,
  SignedIn,
  User,
} from '@hearth/protocol';
import {
  receivedChangedUser,
  receivedExport,
  receivedNothing,
  receivedOwnUser,
  receivedRegistered,
  receivedUser,
} from '@hearth/protocol/received';
import type { Api } from './api.ts';
import { LONGEST_FORM_WAIT_MS } from './patience.ts';
import type { RequestOptions } from './types.ts';

/** The result of a registration: the person is signed in, or has to wait until somebody approves the account. */
export type Registered = (Entered & { readonly pending?: undefined }) | Pending;

/** Changes of one's own account: fields that are left out stay as they are, and null clears a field. */
export interface OwnUserPatch {
  readonly username?: string | undefined;
  readonly display_name?: string | null | undefined;
  readonly bio?: string | null | undefined;
  readonly pronouns?: string | null | undefined;
  readonly avatar?: Id | null | undefined;
  readonly banner?: Id | null | undefined;
  readonly settings?: Readonly<Record<string, unknown>> | undefined;
  readonly email?: string | undefined;
  /** A new password. */
  readonly password?: string | undefined;
  /** Required with `email` and `password`. */
  readonly current_password?: string | undefined;
}

/** A deletion of one's own account. */
export interface Deletion {
  readonly current_password: string;
  /** The treatment of everything that the person wrote: it stays, under the name "deleted", or is erased. */
  readonly content: 'keep' | 'erase';
}

/** Registers an account. */
export async function createUser(
  api: Api,
  body: Registration,
  { signal }: RequestOptions = {},
): Promise<Registered> {
  return await api.request({
    method: 'POST',
    path: '/users',
    limit: 'account_create',
    body,
    hasSecret: true,
    isAnonymous: true,
    longestWaitMs: LONGEST_FORM_WAIT_MS,
    answers: receivedRegistered,
    signal,
  });
}

/** The person who is signed in. */
export function readOwnUser(api: Api, { signal }: RequestOptions = {}): Promise<OwnUser> {
  return api.request({
    method: 'GET',
    path: '/users/me',
    limit: 'read',
    answers: receivedOwnUser,
    signal,
  });
}

/** Changes the person who is signed in. After a new password, the answer has a new token. */
export function changeOwnUser(
  api: Api,
  body: OwnUserPatch,
  { signal }: RequestOptions = {},
): Promise<SignedIn | OwnUser> {
  return api.request({
    method: 'PATCH',
    path: '/users/me',
    limit: 'write',
    body,
    hasSecret: body.password !== undefined || body.current_password !== undefined,
    longestWaitMs: LONGEST_FORM_WAIT_MS,
    answers: receivedChangedUser,
    signal,
  });
}

/** Deletes the account of the person who is signed in. */
export async function deleteOwnUser(
  api: Api,
  body: Deletion,
  { signal }: RequestOptions = {},
): Promise<void> {
  await api.request({
    method: 'DELETE',
    path: '/users/me',
    limit: 'write',
    body,
    hasSecret: true,
    longestWaitMs: LONGEST_FORM_WAIT_MS,
    answers: receivedNothing,
    signal,
  });
}

/** Asks for an archive of everything that the instance has of the person who is signed in. */
export function requestExport(api: Api, { signal }: RequestOptions = {}): Promise<AccountExport> {
  return api.request({
    method: 'POST',
    path: '/users/me/export',
    limit: 'write',
    longestWaitMs: LONGEST_FORM_WAIT_MS,
    answers: receivedExport,
    signal,
  });
}

/** Reads how far that archive is. */
export function readExport(api: Api, { signal }: RequestOptions = {}): Promise<AccountExport> {
  return api.request({
    method: 'GET',
    path: '/users/me/export',
    limit: 'read',
    answers: receivedExport,
    signal,
  });
}

/** Removes a file that the person who is signed in has uploaded. */
export async function deleteOwnUpload(
  api: Api,
  id: Id,
  { signal }: RequestOptions = {},
): Promise<void> {
  await api.request({
    method: 'DELETE',
    path: '/users/me/uploads/:id',
    params: { id },
    limit: 'write',
    answers: receivedNothing,
    signal,
  });
}

/** A person, as everyone sees them. */
export function readUser(api: Api, id: Id, { signal }: RequestOptions = {}): Promise<User> {
  return api.request({
    method: 'GET',
    path: '/users/:id',
    params: { id },
    limit: 'read',
    answers: receivedUser,
    signal,
  });
}

/** The person with a username, in any case. */
export function readUserByName(
  api: Api,
  username: string,
  { signal }: RequestOptions = {},
): Promise<User> {
  return api.request({
    method: 'GET',
    path: '/users/by-name/:username',
    params: { username },
    limit: 'read',
    answers: receivedUser,
    signal,
  });
}
