import { drawnEmoji, type Reaction } from '@hearth/sdk';
import { webPath, type Id } from '@hearth/protocol';
import type { UserSummary } from '@hearth/sdk';
import { useCallback, useEffect, useState } from 'preact/hooks';
import { Avatar } from '../../account/avatar.tsx';
import type { Asked } from '../../lib/asked.ts';
import { Loaded } from '../loaded.tsx';
import { useAccountText } from '../../account/use-account-text.ts';
import { ownPath } from '../../lib/own-path.ts';
import { useFormats } from '../../text/use-text.ts';
import { Dialog } from '../../ui/dialog.tsx';
import { nameOfPerson } from '../author.ts';
import type { MessageEntry } from '../messages/entry.ts';
import { useConversation } from '../use-conversation.ts';

/** The number of people of a kind who are shown at first, and of those who are added each time. */
const PAGE = 50;

interface DialogProps {
  readonly message: MessageEntry | undefined;
}

/** Shows who reacted to a message. Loaded on use. */
export function ReactionsDialog({ message }: DialogProps) {
  const { changes } = useConversation();
  const { reactions: words } = useAccountText();
  const { id, reactions = [] } = message ?? {};
  const [chosen, setChosen] = useState(reactions[0]?.emoji);
  const shown = reactions.find(({ emoji }) => emoji === chosen) ?? reactions[0];
  const close = () => {
    changes.acting.value = undefined;
  };
  return (
    <Dialog title={words.title} onClose={close}>
      {id === undefined || shown === undefined ? (
        <p class="hint">{words.none}</p>
      ) : (
        <>
          <fieldset class="reaction-kinds">
            <legend class="visually-hidden">{words.kinds}</legend>
            {reactions.map(({ emoji, count }) => (
              <label key={emoji} class="reaction">
                <input
                  type="radio"
                  class="visually-hidden"
                  name="reaction"
                  checked={emoji === shown.emoji}
                  onChange={() => setChosen(emoji)}
                />
                {drawnEmoji(emoji)} <span>{count}</span>
              </label>
            ))}
          </fieldset>
          <People key={shown.emoji} id={id} reaction={shown} />
        </>
      )}
    </Dialog>
  );
}

interface PeopleProps {
  readonly id: Id;
  readonly reaction: Reaction;
}

function People({ id, reaction }: PeopleProps) {
  const { reactions: words } = useAccountText();
  const formats = useFormats();
  const { asked, retry, more } = usePeople(id, reaction);
  return (
    <Loaded asked={asked} onRetry={retry}>
      {(people) => (
        <>
          <ul class="people-list">
            {people.map((user) => (
              <li key={user.id}>
                <Person user={user} />
              </li>
            ))}
          </ul>
          {people.length < reaction.count && (
            <button type="button" class="button" onClick={more}>
              {words.more(formats.count(reaction.count - people.length))}
            </button>
          )}
        </>
      )}
    </Loaded>
  );
}

function Person({ user }: { readonly user: UserSummary }) {
  const { user: words } = useAccountText();
  const { username, avatar } = user;
  const content = (
    <>
      <Avatar name={username} picture={avatar} />
      <bdi>{user.deleted === true ? words.deletedName : nameOfPerson(user)}</bdi>
    </>
  );
  if (user.deleted === true) return <span class="person">{content}</span>;
  return (
    <a class="person" href={ownPath(webPath('user', { username }))}>
      {content}
      <span class="hint">@{username}</span>
    </a>
  );
}

/** Reads who reacted with an emoji, page by page. */
function usePeople(id: Id, { emoji, count }: Reaction) {
  const { source } = useConversation();
  const [asked, setAsked] = useState<Asked<readonly UserSummary[]>>({ state: 'loading' });
  const load = useCallback(
    async (known: readonly UserSummary[]) => {
      try {
        const before = known.at(-1)?.id;
        const page = await source.listReacted({ id, emoji, before, limit: PAGE });
        setAsked({ state: 'there', value: [...known, ...page] });
      } catch (error) {
        setAsked({ state: 'failed', error });
      }
    },
    [source, id, emoji],
  );
  // Again if somebody else reacts.
  useEffect(() => void load([]), [load, count]);
  return {
    asked,
    retry: () => {
      setAsked({ state: 'loading' });
      void load([]);
    },
    more: () => void load(asked.state === 'there' ? asked.value : []),
  };
}
