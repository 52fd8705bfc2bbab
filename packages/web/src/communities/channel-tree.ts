import type { ChannelStub, Id } from '@hearth/protocol';

/** The channels of a category, or those without one. */
export interface ChannelGroup<Channel extends ChannelStub = ChannelStub> {
  /** Undefined for the channels without a category, which come first. */
  readonly category: Channel | undefined;
  readonly channels: readonly Channel[];
}

/** The channels of a community in their order. A channel whose category is not seen counts as one without a category. */
export function channelTree<Channel extends ChannelStub>(
  channels: readonly Channel[],
): readonly ChannelGroup<Channel>[] {
  const ordered = channels.toSorted((one, other) => one.position - other.position);
  const categories = ordered.filter(({ kind }) => kind === 'category');
  const known = new Set<Id>(categories.map(({ id }) => id));
  const within = (id: Id | undefined) =>
    ordered.filter(({ kind, category_id: category }) => {
      if (kind === 'category') return false;
      return (category !== undefined && known.has(category) ? category : undefined) === id;
    });
  const loose = within(undefined);
  return [
    ...(loose.length === 0 ? [] : [{ category: undefined, channels: loose }]),
    ...categories.map((category) => ({ category, channels: within(category.id) })),
  ];
}

/** The channels that a reader goes through, without categories, in their order. */
export function channelsInOrder<Channel extends ChannelStub>(
  channels: readonly Channel[],
): readonly Channel[] {
  return channelTree(channels).flatMap((group) => group.channels);
}
