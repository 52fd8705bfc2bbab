import { useEffect, useMemo, useState } from 'preact/hooks';
import type { Channel, Id } from '@hearth/protocol';
import { Loaded } from '../../account/settings/loaded.tsx';
import { PlusIcon } from '../../ui/action-icons.tsx';
import { ChevronIcon, ForthIcon } from '../../ui/icons.tsx';
import { LockIcon } from '../../ui/place-icons.tsx';
import { SortableList } from '../../ui/sortable-list.tsx';
import { ChannelIcon } from '../frame/channel-link.tsx';
import type { MyCommunity } from '@hearth/sdk';
import { PagedList } from '../paged-list.ts';
import { channelKindsFor } from '../offered-kinds.ts';
import { useCommunities } from '../use-communities.ts';
import { ChannelForm } from './channel-form.tsx';
import { moveChannelRow, orderOf, rowsOf } from './move-rows.ts';
import { NewChannelForm } from './new-channel-form.tsx';
import { useOrder } from './use-order.ts';
import { useSettingsText } from './use-settings-text.ts';

type Open = { readonly id: Id } | 'channel' | 'category' | undefined;

/** The channels and categories in their order, and one of them. */
export function ChannelsPage({ community }: { readonly community: MyCommunity }) {
  const { requests } = useCommunities();
  const { channels: words } = useSettingsText();
  const [open, setOpen] = useState<Open>(undefined);
  const { id } = community;
  const list = useMemo(
    () =>
      new PagedList<Channel>(async () => ({
        entries: await requests.channelsOf(id),
        next: undefined,
      })),
    [requests, id],
  );
  // What others change meanwhile comes with the community.
  useEffect(() => void list.load(), [list, community.channels]);
  const close = () => {
    setOpen(undefined);
    void list.load();
  };
  if (open === 'channel' || open === 'category') {
    return (
      <NewChannelForm community={community} isCategory={open === 'category'} onClose={close} />
    );
  }
  return (
    <Loaded asked={list.asked.value} onRetry={() => void list.load()}>
      {({ entries }) => {
        const shown = entries.find((channel) => channel.id === open?.id);
        if (shown !== undefined) {
          const props = { community, channel: shown, all: entries, onClose: close };
          return <ChannelForm key={shown.id} {...props} onChanged={() => void list.load()} />;
        }
        return (
          <>
            <ChannelList
              community={community}
              channels={entries}
              onOpen={(channel) => setOpen({ id: channel })}
            />
            <div class="form-end">
              {channelKindsFor(community).length > 0 && (
                <button type="button" class="button" onClick={() => setOpen('channel')}>
                  <PlusIcon />
                  {words.add}
                </button>
              )}
              <button type="button" class="button" onClick={() => setOpen('category')}>
                <PlusIcon />
                {words.addCategory}
              </button>
            </div>
          </>
        );
      }}
    </Loaded>
  );
}

interface ListProps {
  readonly community: MyCommunity;
  readonly channels: readonly Channel[];
  readonly onOpen: (id: Id) => void;
}

function ChannelList({ community, channels, onOpen }: ListProps) {
  const { requests } = useCommunities();
  const { order, pages } = useSettingsText();
  const { shown, problem, onOrder } = useOrder(rowsOf(channels), (rows) =>
    requests.orderChannels(community.id, orderOf(rows)),
  );
  return (
    <>
      <p class="hint">{order.hint}</p>
      <SortableList
        label={pages.channels}
        items={shown}
        words={order}
        move={moveChannelRow}
        onOrder={onOrder}
      >
        {({ channel, name }) => (
          <button
            type="button"
            class="sortable-line"
            data-is-category={channel.kind === 'category' || undefined}
            onClick={() => onOpen(channel.id)}
          >
            {channel.kind === 'category' ? <ChevronIcon /> : <ChannelIcon kind={channel.kind} />}
            <span class="sortable-name">{name}</span>
            {channel.restricted === true && <LockIcon />}
            <ForthIcon />
          </button>
        )}
      </SortableList>
      <p class="problem" role="alert">
        {problem}
      </p>
    </>
  );
}
