import { useCallback } from 'preact/hooks';
import { Loaded } from '../../conversation/loaded.tsx';
import { useFormats } from '../../text/use-text.ts';
import type { MyCommunity } from '@hearth/sdk';
import { MoreButton } from '../more-button.tsx';
import { useCommunities } from '../use-communities.ts';
import type { JoinRequest } from '../wire.ts';
import { nameOfPerson } from '../../conversation/author.ts';
import { Person } from './person.tsx';
import { useAct } from './use-act.ts';
import { useLoadedList } from './use-loaded-list.ts';
import { useNextLine } from './use-next-line.ts';
import { useSettingsText } from './use-settings-text.ts';

/** Who asks to join. */
export function RequestsPage({ community: { id } }: { readonly community: MyCommunity }) {
  const { requests } = useCommunities();
  const { requests: words, more } = useSettingsText();
  const act = useAct();
  const list = useLoadedList(
    useCallback(
      (cursor?: string) => requests.joinRequests(id, { ...(cursor !== undefined && { cursor }) }),
      [requests, id],
    ),
  );
  const lines = useNextLine();
  const decide = ({ user }: JoinRequest, isAccepted: boolean) => {
    lines.leave();
    list.change((all) => all.filter((each) => each.user.id !== user.id));
    const decided = () =>
      isAccepted ? requests.acceptRequest(id, user.id) : requests.refuseRequest(id, user.id);
    void act.run(decided).then((isDone) => {
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
              {entries.map((request) => (
                <RequestLine
                  key={request.user.id}
                  request={request}
                  onDecide={(isAccepted) => decide(request, isAccepted)}
                />
              ))}
            </ul>
            <MoreButton list={list} label={more} />
          </>
        )}
      </Loaded>
    </>
  );
}

interface LineProps {
  readonly request: JoinRequest;
  readonly onDecide: (isAccepted: boolean) => void;
}

function RequestLine({ request, onDecide }: LineProps) {
  const { requests: words } = useSettingsText();
  const formats = useFormats();
  const { user, text, created_at: since } = request;
  return (
    <Person
      user={user}
      text={
        <>
          {text !== undefined && <p>{text}</p>}
          <p class="hint">{formats.moment(since)}</p>
        </>
      }
    >
      <button
        type="button"
        class="button button-primary"
        aria-label={words.acceptOf(nameOfPerson(user))}
        onClick={() => onDecide(true)}
      >
        {words.accept}
      </button>
      <button
        type="button"
        class="button"
        aria-label={words.refuseOf(nameOfPerson(user))}
        onClick={() => onDecide(false)}
      >
        {words.refuse}
      </button>
    </Person>
  );
}
