import type {
  Channel,
  ChannelChange,
  ChannelOrder,
  Id,
  NewChannel,
  OverwriteChange,
} from '@hearth/protocol';
import { receivedNothing } from '@hearth/protocol/received';
import { receivedChannel, receivedChannels } from '@hearth/protocol/received-communities';
import type { Api } from '../api.ts';
import type { RequestOptions } from '../types.ts';
import type { CommunityStore } from './store.ts';

/** The permissions that one role or member is allowed and denied in a channel. */
export interface OverwriteOf {
  readonly channel_id: Id;
  /** The role or the user. */
  readonly id: Id;
}

type Store = Pick<CommunityStore, 'putChannel' | 'putDetails' | 'removeChannel'>;

/** The channels and categories of communities. What is changed here shows in the store at once. */
export class ChannelsClient {
  readonly #api: Api;
  readonly #store: Store;

  /** @internal */
  constructor(api: Api, store: Store) {
    this.#api = api;
    this.#store = store;
  }

  /** The channels that the caller sees, in their order. */
  async list(communityId: Id, { signal }: RequestOptions = {}): Promise<readonly Channel[]> {
    const channels = await this.#api.request({
      method: 'GET',
      path: '/communities/:community_id/channels',
      params: { community_id: communityId },
      limit: 'list',
      answers: receivedChannels,
      signal,
    });
    for (const channel of channels) this.#store.putDetails(channel);
    return channels;
  }

  /** A channel with its topic, slow mode and overwrites. Throws NotFoundError. */
  async find(id: Id, { signal }: RequestOptions = {}): Promise<Channel> {
    const channel = await this.#api.request({
      method: 'GET',
      path: '/channels/:id',
      params: { id },
      limit: 'read',
      answers: receivedChannel,
      signal,
    });
    this.#store.putDetails(channel);
    return channel;
  }

  /** Adds a channel or category after the others. */
  async create(
    communityId: Id,
    body: NewChannel,
    { signal }: RequestOptions = {},
  ): Promise<Channel> {
    const channel = await this.#api.request({
      method: 'POST',
      path: '/communities/:community_id/channels',
      params: { community_id: communityId },
      limit: 'write',
      body,
      answers: receivedChannel,
      signal,
    });
    this.#store.putChannel(channel);
    return channel;
  }

  async change(id: Id, body: ChannelChange, { signal }: RequestOptions = {}): Promise<Channel> {
    return this.#changed(
      await this.#api.request({
        method: 'PATCH',
        path: '/channels/:id',
        params: { id },
        limit: 'write',
        body,
        answers: receivedChannel,
        signal,
      }),
    );
  }

  /** Removes a channel with all of its messages, or a category, whose channels stay. */
  async remove(id: Id, { signal }: RequestOptions = {}): Promise<void> {
    await this.#api.request({
      method: 'DELETE',
      path: '/channels/:id',
      params: { id },
      limit: 'write',
      answers: receivedNothing,
      signal,
    });
    this.#store.removeChannel(id);
  }

  /** Orders all channels and categories, and puts channels into categories. */
  async order(
    communityId: Id,
    order: ChannelOrder,
    { signal }: RequestOptions = {},
  ): Promise<readonly Channel[]> {
    const channels = await this.#api.request({
      method: 'PUT',
      path: '/communities/:community_id/channels/order',
      params: { community_id: communityId },
      limit: 'write',
      body: order,
      answers: receivedChannels,
      signal,
    });
    for (const channel of channels) this.#store.putDetails(channel);
    return channels;
  }

  /** Sets what a role or member is allowed and denied in a channel or category. */
  async setOverwrite(
    { channel_id: channelId, id }: OverwriteOf,
    body: OverwriteChange,
    { signal }: RequestOptions = {},
  ): Promise<Channel> {
    return this.#changed(
      await this.#api.request({
        method: 'PUT',
        path: '/channels/:channel_id/overwrites/:id',
        params: { channel_id: channelId, id },
        limit: 'write',
        body,
        answers: receivedChannel,
        signal,
      }),
    );
  }

  async removeOverwrite(
    { channel_id: channelId, id }: OverwriteOf,
    { signal }: RequestOptions = {},
  ): Promise<Channel> {
    return this.#changed(
      await this.#api.request({
        method: 'DELETE',
        path: '/channels/:channel_id/overwrites/:id',
        params: { channel_id: channelId, id },
        limit: 'write',
        answers: receivedChannel,
        signal,
      }),
    );
  }

  #changed(channel: Channel): Channel {
    this.#store.putDetails(channel);
    return channel;
  }
}
