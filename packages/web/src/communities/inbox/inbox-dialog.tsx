import { webPath, type Notification } from '@hearth/protocol';
import { useEffect, useState } from 'preact/hooks';
import { useChannelText } from '../../channels/use-channel-text.ts';
import { shownName } from '../../conversation/author.ts';
import { Loaded } from '../../conversation/loaded.tsx';
import { ownPath } from '../../lib/own-path.ts';
import { useFormats } from '../../text/use-text.ts';
import { Dialog } from '../../ui/dialog.tsx';
import { useCovers } from '../../ui/use-covers.ts';
import { MoreButton } from '../more-button.tsx';
import { PagedList } from '../paged-list.ts';
import { useCommunities } from '../use-communities.ts';
import { useCommunityText } from '../use-community-text.ts';

/** Messages that mention the reader or reply to them, the newest first; each leads to its place. */
export function InboxDialog({ onClose }: { readonly onClose: () => void }) {
  const covers = useCovers();
  const communities = useCommunities();
  const { inbox: words } = useChannelText();
  useEffect(() => covers.cover(onClose), [covers, onClose]);
  const [list] = useState(() => new PagedList<Notification>(communities.requests.notifications));
  const newest = communities.mention.value;
  useEffect(() => void list.load(), [list, newest]);
  const readAll = ([first]: readonly Notification[]) => {
    if (first === undefined) return;
    list.change((all) => all.map((each) => ({ ...each, read: true })));
    communities.requests.markNotificationsRead(first.id).catch(() => void list.load());
  };
  return (
    <Dialog title={words.title} onClose={onClose}>
      <Loaded asked={list.asked.value} onRetry={() => void list.load()}>
        {({ entries }) => (
          <>
            {entries.length === 0 && <p class="hint">{words.none}</p>}
            {entries.some(({ read }) => read !== true) && (
              <button type="button" class="button inbox-read" onClick={() => readAll(entries)}>
                {words.readAll}
              </button>
            )}
            <ol class="inbox">
              {entries.map((entry) => (
                <InboxEntry key={entry.id} entry={entry} />
              ))}
            </ol>
          </>
        )}
      </Loaded>
      <MoreButton list={list} label={words.more} />
    </Dialog>
  );
}

function InboxEntry({ entry }: { readonly entry: Notification }) {
  const communities = useCommunities();
  const { inbox: words } = useChannelText();
  const { frame } = useCommunityText();
  const formats = useFormats();
  const { kind, user, community_id, channel_id, message_id, created_at: createdAtMs, read } = entry;
  const community = communities.own.value?.find(({ id }) => id === community_id);
  const channel = community?.channels.find(({ id }) => id === channel_id);
  // It is gone, or the reader is no longer a member.
  if (community === undefined || channel === undefined || message_id === undefined) return null;
  const name = shownName(user?.display_name ?? user?.username ?? '');
  const path = webPath('channelMessage', {
    slug: community.slug,
    channel_id: channel.id,
    message_id,
  });
  return (
    <li>
      <a class="inbox-entry" href={ownPath(path)} data-is-unread={read !== true || undefined}>
        <span>
          {kind === 'reply' ? words.replied(name) : words.mentioned(name)}
          {read !== true && <span class="visually-hidden"> ({frame.unread})</span>}
        </span>
        <span class="hint">
          <bdi>#{channel.name}</bdi> · <bdi>{community.name}</bdi> ·{' '}
          <time dateTime={new Date(createdAtMs).toISOString()}>{formats.moment(createdAtMs)}</time>
        </span>
      </a>
    </li>
  );
}
