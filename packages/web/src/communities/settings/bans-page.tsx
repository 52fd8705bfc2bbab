import { useCallback } from 'preact/hooks';
import { Loaded } from '../../conversation/loaded.tsx';
import { useFormats } from '../../text/use-text.ts';
import type { MyCommunity } from '@hearth/sdk';
import { MoreButton } from '../more-button.tsx';
import { useCommunities } from '../use-communities.ts';
import type { Ban } from '../wire.ts';
import { nameOfPerson } from '../../conversation/author.ts';
import { Person } from './person.tsx';
import { useAct } from './use-act.ts';
import { useLoadedList } from './use-loaded-list.ts';
import { useNextLine } from './use-next-line.ts';
import { useSettingsText } from './use-settings-text.ts';

/** Who is banned, why, and until when. */
export function BansPage({ community: { id } }: { readonly community: MyCommunity }) {
  const { requests } = useCommunities();
  const { bans: words, more } = useSettingsText();
  const act = useAct();
  const list = useLoadedList(
    useCallback(
      (cursor?: string) => requests.bans(id, { ...(cursor !== undefined && { cursor }) }),
      [requests, id],
    ),
  );
  const lines = useNextLine();
  const lift = ({ user }: Ban) => {
    lines.leave();
    list.change((bans) => bans.filter((ban) => ban.user.id !== user.id));
    void act
      .run(() => requests.unban(id, user.id))
      .then((isDone) => {
        if (!isDone) void list.load();
      });
  };
  return (
    <>
      <p class="problem" role="alert">
        {act.problem}
      </p>
      <Loaded asked={list.asked.value} onRetry={() => void list.load()}>
        {({ entries }) => (
          <>
            {entries.length === 0 && <p class="hint">{words.none}</p>}
            <ul ref={lines.list} class="members">
              {entries.map((ban) => (
                <BanLine key={ban.user.id} ban={ban} onLift={() => lift(ban)} />
              ))}
            </ul>
            <MoreButton list={list} label={more} />
          </>
        )}
      </Loaded>
    </>
  );
}

function BanLine({ ban, onLift }: { readonly ban: Ban; readonly onLift: () => void }) {
  const { bans: words } = useSettingsText();
  const formats = useFormats();
  const { user, reason, created_by: by, created_at: since, expires_at: until } = ban;
  const facts = [
    until === undefined ? words.forGood : words.until(formats.moment(until)),
    formats.date(since),
    ...(by === undefined ? [] : [words.by(nameOfPerson(by))]),
  ];
  return (
    <Person
      user={user}
      text={
        <>
          {reason !== undefined && <p>{reason}</p>}
          <p class="hint">{facts.join(' · ')}</p>
        </>
      }
    >
      <button
        type="button"
        class="button"
        aria-label={words.liftOf(nameOfPerson(user))}
        onClick={onLift}
      >
        {words.lift}
      </button>
    </Person>
  );
}
