import { useEffect, useMemo, useState } from 'preact/hooks';
import { parseId, type Channel, type Id } from '@hearth/protocol';
import { Loaded } from '../../conversation/loaded.tsx';
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
import { useOpenedLine } from './use-opened-line.ts';
import { useOrder } from './use-order.ts';
import { useSettingsText } from './use-settings-text.ts';

type Open = { readonly id: Id } | 'channel' | 'category' | undefined;

/** The channels and categories in their order, and one of them. */
export function ChannelsPage({ community }: { readonly community: MyCommunity }) {
  const { requests } = useCommunities();
  const { open, openLine, closeLine } = useOpen();
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
  const close = (isGone: boolean) => {
    closeLine(isGone);
    void list.load();
  };
  if (open === 'channel' || open === 'category') {
    return (
      <NewChannelForm
        community={community}
        isCategory={open === 'category'}
        onClose={() => close(false)}
      />
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
              onOpen={(channel) => openLine({ id: channel })}
            />
            <AddButtons community={community} onAdd={openLine} />
          </>
        );
      }}
    </Loaded>
  );
}

/** Returns what is open in place of the list. The menu of a channel leads to that channel. */
function useOpen() {
  const line = useOpenedLine();
  const [open, setOpen] = useState<Open>(() => {
    const id = parseId(location.hash.slice(1));
    return id && { id };
  });
  const openLine = (next: NonNullable<Open>) => {
    line.opened(typeof next === 'string' ? next : next.id);
    setOpen(next);
  };
  const closeLine = (isGone: boolean) => {
    line.closed(isGone);
    // Loaded again, the page shows the list.
    history.replaceState(history.state, '', location.pathname);
    setOpen(undefined);
  };
  return { open, openLine, closeLine };
}

interface AddProps {
  readonly community: MyCommunity;
  readonly onAdd: (what: 'channel' | 'category') => void;
}

function AddButtons({ community, onAdd }: AddProps) {
  const { channels: words } = useSettingsText();
  const hasKinds = channelKindsFor(community).length > 0;
  const buttons = [
    ...(hasKinds ? [{ what: 'channel', label: words.add } as const] : []),
    { what: 'category', label: words.addCategory } as const,
  ];
  return (
    <div class="form-end">
      {buttons.map(({ what, label }) => (
        <button
          key={what}
          type="button"
          class="button"
          data-line={what}
          onClick={() => onAdd(what)}
        >
          <PlusIcon />
          {label}
        </button>
      ))}
    </div>
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
            data-line={channel.id}
            data-is-category={channel.kind === 'category' || undefined}
            onClick={() => onOpen(channel.id)}
          >
            {channel.kind === 'category' ? <ChevronIcon /> : <ChannelIcon kind={channel.kind} />}
            <span class="sortable-name">
              <bdi>{name}</bdi>
            </span>
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
