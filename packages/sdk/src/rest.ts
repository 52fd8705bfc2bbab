import { HISTORY_PAGE } from '@hearth/protocol';
import type { Id, InstanceInfo, InstanceRateLimits, LobbyMessage, Message } from '@hearth/protocol';
import {
  receivedInstanceInfo,
  receivedMessage,
  receivedRateLimits,
} from '@hearth/protocol/received';
import { messageListSchema } from '@hearth/protocol/schemas';
import { HistoryUnavailableError, UnexpectedAnswerError } from './errors.ts';
import type { Http } from './http.ts';
import type { OutgoingMessage, RequestOptions } from './types.ts';
import { addressesOf, under, withQuery } from './urls.ts';

/** Which messages of the history: those after, before or between ids, at most `limit` (1 to 100, 50 by default). */
export interface MessageQuery {
  readonly before?: Id | undefined;
  readonly after?: Id | undefined;
  readonly limit?: number | undefined;
}

/** Where the REST service is, and whether it has Hearth's additions. */
export interface RestOptions {
  readonly http: Http;
  readonly baseUrl: string;
  readonly isHearth: boolean;
}

/** The REST service of an instance. Every request waits for its limit. */
export class RestClient {
  readonly #options: RestOptions;

  constructor(options: RestOptions) {
    this.#options = options;
  }

  /** What the instance is, and where its services are. */
  info({ signal }: RequestOptions = {}): Promise<InstanceInfo> {
    const { http, baseUrl } = this.#options;
    return instanceInfo(http, baseUrl, signal);
  }

  /** The limits of all three services. */
  rateLimits({ signal }: RequestOptions = {}): Promise<InstanceRateLimits> {
    const url = this.#url('rate_limits');
    return this.#options.http.json({ url, bucket: 'rate_limits', signal }, receivedRateLimits);
  }

  /** Posts a message; gives it back as it was posted. `nonce` is sent to Hearth only. Not sent again on a NetworkError. */
  createMessage(
    { author, content, nonce }: OutgoingMessage,
    { signal }: RequestOptions = {},
  ): Promise<Message> {
    const withNonce = nonce !== undefined && this.#options.isHearth;
    const body = JSON.stringify(withNonce ? { author, content, nonce } : { author, content });
    const headers = { 'Content-Type': 'application/json' };
    const url = this.#url('messages');
    return this.#options.http.json(
      { url, bucket: 'message_create', signal, headers, body },
      receivedMessage,
    );
  }

  /** Messages of the history, the newest first. Throws HistoryUnavailableError where the instance is not Hearth. */
  async listMessages(
    { before, after, limit = HISTORY_PAGE.default }: MessageQuery = {},
    { signal }: RequestOptions = {},
  ): Promise<readonly LobbyMessage[]> {
    if (!this.#options.isHearth) {
      throw new HistoryUnavailableError(
        'This instance has no history to ask for: it is not Hearth',
      );
    }
    const url = withQuery(this.#url('messages'), { before, after, limit });
    return this.#options.http.json({ url, bucket: 'message_list', signal }, messageListSchema);
  }

  #url(path: string): string {
    return under(this.#options.baseUrl, path);
  }
}

/** What the instance at `baseUrl` says of itself; its addresses are some. */
export async function instanceInfo(
  http: Http,
  baseUrl: string,
  signal: AbortSignal | undefined,
): Promise<InstanceInfo> {
  const url = `${baseUrl}/`;
  const info = await http.json({ url, bucket: 'info', signal }, receivedInstanceInfo);
  try {
    addressesOf(info);
  } catch (cause) {
    const what = cause instanceof Error ? cause.message : String(cause);
    throw new UnexpectedAnswerError(`${url} tells where it is, but: ${what}`, { cause });
  }
  return info;
}
