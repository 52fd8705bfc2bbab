import type {
  Feature,
  Id,
  InstanceInfo,
  InstanceRateLimits,
  LobbyMessage,
  Message,
  Reaction,
  UserSummary,
} from '@hearth/protocol';
import type { Api, ApiRequest } from './api.ts';
import type { Abilities } from './capabilities.ts';
import { FeatureUnavailableError, HistoryUnavailableError } from './errors.ts';
import { describeInstance } from './instance-info.ts';
import {
  changeMessage,
  createMessage,
  deleteMessage,
  listMessages,
  type MessageQuery,
} from './messages.ts';
import { countOnline } from './online.ts';
import { listRateLimits } from './rate-limits.ts';
import {
  addReaction,
  listReacted,
  removeReaction,
  type ReactedQuery,
  type ReactionTo,
} from './reactions.ts';
import { searchMessages, type SearchPage, type SearchQuery } from './search.ts';
import type { OutgoingMessage, RequestOptions, SendOptions } from './types.ts';

/** The address of the REST service, and what the instance can do. */
export interface RestOptions {
  readonly api: Api;
  readonly abilities: Abilities;
}

/** The REST service of an instance. Every request waits for its limit. */
export class RestClient {
  readonly #api: Api;
  readonly #abilities: Abilities;

  constructor({ api, abilities }: RestOptions) {
    this.#api = api;
    this.#abilities = abilities;
  }

  /**
   * Calls any route of the REST service, for example a route of a newer instance that this library has no function for.
   *
   * @example rest.request({ method: 'GET', path: '/users/:id', params: { id }, limit: 'info', answers: userSchema })
   */
  request<const Path extends string, Answer>(request: ApiRequest<Path, Answer>): Promise<Answer> {
    return this.#api.request(request);
  }

  /** The instance's name, version and addresses. */
  info(options: RequestOptions = {}): Promise<InstanceInfo> {
    return describeInstance(this.#api, options);
  }

  /** The limits of all three services. */
  rateLimits(options: RequestOptions = {}): Promise<InstanceRateLimits> {
    return listRateLimits(this.#api, options);
  }

  /** Counts the connections of the instance's gateways. Throws FeatureUnavailableError. */
  async countOnline(options: RequestOptions = {}): Promise<number> {
    await this.#require('online', options.signal);
    return await countOnline(this.#api, options);
  }

  /**
   * Posts a message; returns it as posted. Sends `nonce` if the instance accepts one. If somebody is signed in, a message with a
   * nonce is sent again if no answer comes, because it is posted once; without a token it is not.
   */
  async createMessage(
    { author, content, nonce }: OutgoingMessage,
    options: SendOptions = {},
  ): Promise<Message> {
    if (nonce !== undefined) await this.#abilities.ready(options.signal);
    const withNonce = nonce !== undefined && this.#abilities.has('nonce');
    const message = withNonce ? { author, content, nonce } : { author, content };
    return await createMessage(this.#api, message, options);
  }

  /**
   * Lists messages of the history, the newest first. Throws HistoryUnavailableError if the instance has no history, and
   * FeatureUnavailableError if it does not know `around`.
   *
   * @example rest.listMessages({ around: firstIdAt(Date.parse('2026-11-20')) })
   */
  async listMessages(
    query: MessageQuery = {},
    options: RequestOptions = {},
  ): Promise<readonly LobbyMessage[]> {
    await this.#require('history', options.signal);
    if (query.around !== undefined) await this.#require('around', options.signal);
    return await listMessages(this.#api, query, options);
  }

  /**
   * Changes the text of a message that the person who is signed in has posted. Throws ForbiddenError for another message,
   * NotFoundError, and FeatureUnavailableError.
   */
  async changeMessage(
    change: { readonly id: Id; readonly content: string },
    options: RequestOptions = {},
  ): Promise<LobbyMessage> {
    await this.#require('changes', options.signal);
    return await changeMessage(this.#api, change, options);
  }

  /** Deletes a message, and returns it. Throws like `changeMessage`; staff may delete the messages of others. */
  async deleteMessage(id: Id, options: RequestOptions = {}): Promise<LobbyMessage> {
    await this.#require('changes', options.signal);
    return await deleteMessage(this.#api, id, options);
  }

  /**
   * Reacts to a message. Returns the reactions of that kind. Throws ConflictError if the message has too many kinds,
   * ValidationError if the text is not one emoji, NotFoundError, and FeatureUnavailableError.
   *
   * @example await rest.addReaction({ id: message.id, emoji: '👍' });
   */
  async addReaction(reaction: ReactionTo, options: RequestOptions = {}): Promise<Reaction> {
    await this.#require('reactions', options.signal);
    return await addReaction(this.#api, reaction, options);
  }

  /** Takes back a reaction. Returns what is left of that kind. Throws NotFoundError and FeatureUnavailableError. */
  async removeReaction(reaction: ReactionTo, options: RequestOptions = {}): Promise<Reaction> {
    await this.#require('reactions', options.signal);
    return await removeReaction(this.#api, reaction, options);
  }

  /** Lists who reacted to a message with an emoji, the newest account first. Throws like `removeReaction`. */
  async listReacted(
    query: ReactedQuery,
    options: RequestOptions = {},
  ): Promise<readonly UserSummary[]> {
    await this.#require('reactions', options.signal);
    return await listReacted(this.#api, query, options);
  }

  /**
   * Searches messages. Throws FeatureUnavailableError if the instance has no search.
   *
   * @example const { messages, next } = await rest.search({ text: 'good eve', from: 'ada' });
   */
  async search(query: SearchQuery, options: RequestOptions = {}): Promise<SearchPage> {
    await this.#require('search', options.signal);
    return await searchMessages(this.#api, query, options);
  }

  /** Throws FeatureUnavailableError, or the reason if the instance could not answer what it offers. */
  async #require(feature: Feature, signal: AbortSignal | undefined): Promise<void> {
    const failure = await this.#abilities.learn(signal);
    if (failure !== undefined) throw failure;
    if (this.#abilities.has(feature)) return;
    throw feature === 'history'
      ? new HistoryUnavailableError()
      : new FeatureUnavailableError(feature);
  }
}
