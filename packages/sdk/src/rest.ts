import type {
  Feature,
  InstanceInfo,
  InstanceRateLimits,
  LobbyMessage,
  Message,
} from '@hearth/protocol';
import type { Api, ApiRequest } from './api.ts';
import type { Abilities } from './capabilities.ts';
import { FeatureUnavailableError, HistoryUnavailableError } from './errors.ts';
import { describeInstance } from './instance-info.ts';
import { createMessage, listMessages, type MessageQuery } from './messages.ts';
import { countOnline } from './online.ts';
import { listRateLimits } from './rate-limits.ts';
import { searchMessages, type SearchPage, type SearchQuery } from './search.ts';
import type { OutgoingMessage, RequestOptions } from './types.ts';

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

  /** How many connections the instance's gateways have. Throws FeatureUnavailableError. */
  async countOnline(options: RequestOptions = {}): Promise<number> {
    await this.#require('online', options.signal);
    return await countOnline(this.#api, options);
  }

  /** Posts a message; returns it as posted. Sends `nonce` if the instance accepts one. Does not send again after a NetworkError. */
  async createMessage(
    { author, content, nonce }: OutgoingMessage,
    options: RequestOptions = {},
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
