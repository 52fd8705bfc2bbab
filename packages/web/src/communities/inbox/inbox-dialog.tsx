import type { Notification } from '@hearth/protocol';
import { useEffect } from 'preact/hooks';
import { Avatar } from '../../account/avatar.tsx';
import { useChannelText } from '../../channels/use-channel-text.ts';
import { nameOfPerson, shownName } from '../../conversation/author.ts';
import { Loaded } from '../../conversation/loaded.tsx';
import { ownPath } from '../../lib/own-path.ts';
import { useFormats } from '../../text/use-text.ts';
import { Dialog } from '../../ui/dialog.tsx';
import { useCovers } from '../../ui/use-covers.ts';
import { MoreButton } from '../more-button.tsx';
import { useCommunityText } from '../use-community-text.ts';
import type { NotifiedPlace, ReaderInbox } from './reader-inbox.ts';

interface DialogProps {
  readonly inbox: ReaderInbox;
  readonly onClose: () => void;
}

/** A list of what mentions the reader or replies to them, the newest first; each entry leads to its place. */
export function InboxDialog({ inbox, onClose }: DialogProps) {
  const covers = useCovers();
  const { inbox: words } = useChannelText();
  useEffect(() => covers.cover(onClose), [covers, onClose]);
  // What was deleted meanwhile goes.
  useEffect(() => void inbox.list.load(), [inbox]);
  return (
    <Dialog title={words.title} onClose={onClose}>
      <Loaded asked={inbox.list.asked.value} onRetry={() => void inbox.list.load()}>
        {({ entries }) => (
          <>
            {entries.length === 0 && <p class="hint">{words.none}</p>}
            {inbox.unread.value.count > 0 && (
              <button type="button" class="button inbox-read" onClick={() => void inbox.readAll()}>
                {words.readAll}
              </button>
            )}
            <ol class="inbox">
              {entries.map((entry) => (
                <li key={entry.id}>
                  <InboxEntry inbox={inbox} entry={entry} />
                </li>
              ))}
            </ol>
          </>
        )}
      </Loaded>
      <MoreButton list={inbox.list} label={words.more} />
    </Dialog>
  );
}

interface EntryProps {
  readonly entry: Notification;
}

function InboxEntry({ inbox, entry }: EntryProps & Pick<DialogProps, 'inbox'>) {
  const { frame } = useCommunityText();
  const formats = useFormats();
  const { user, excerpt, created_at: createdAtMs } = entry;
  const place = inbox.placeOf(entry);
  const isUnread = !inbox.isRead(entry);
  const text = (excerpt ?? '').replaceAll('\n', ' ');
  return (
    <a
      class="inbox-entry"
      {...(place?.path !== undefined && { href: ownPath(place.path) })}
      data-is-unread={isUnread || undefined}
    >
      <Avatar name={user?.username ?? ''} picture={user?.avatar} />
      <span class="inbox-entry-text">
        <span class="inbox-entry-who">
          <Headline entry={entry} />
          {isUnread && <span class="visually-hidden"> ({frame.unread})</span>}
        </span>
        {text !== '' && (
          <span class="inbox-entry-words" dir="auto">
            {text}
          </span>
        )}
        <span class="hint">
          <Where entry={entry} place={place} />
          <time dateTime={new Date(createdAtMs).toISOString()}>{formats.moment(createdAtMs)}</time>
        </span>
      </span>
    </a>
  );
}

function Headline({ entry }: EntryProps) {
  const { inbox: words } = useChannelText();
  const { kind, user, post_id: postId, comment_id: commentId } = entry;
  const name = user === undefined ? shownName('') : nameOfPerson(user);
  const subject = commentId !== undefined ? 'comment' : postId !== undefined ? 'post' : 'message';
  const said = kind === 'reply' ? words.replied : words.mentioned;
  return <>{said[subject](name)}</>;
}

function Where({ entry, place }: EntryProps & { readonly place: NotifiedPlace | undefined }) {
  const { post_title: title } = entry;
  const parts = [
    ...(title === undefined ? [] : [title]),
    ...(place?.channel === undefined ? [] : [`#${place.channel}`]),
    ...(place === undefined ? [] : [place.community]),
  ];
  return (
    <span class="inbox-entry-where">
      {parts.map((part, at) => (
        <span key={at}>
          <bdi>{part}</bdi>
          {' · '}
        </span>
      ))}
    </span>
  );
}
