import { useCallback, useState } from 'preact/hooks';
import { webPath } from '@hearth/protocol';
import { Loaded } from '../../conversation/loaded.tsx';
import { useFormats } from '../../text/use-text.ts';
import { CopyButton } from '../../ui/copy-button.tsx';
import { useNavigation } from '../../ui/use-navigation.ts';
import { LinkBox } from '../create/done.tsx';
import type { MyCommunity } from '@hearth/sdk';
import { useCommunities } from '../use-communities.ts';
import type { CommunityInvite } from '../wire.ts';
import { nameOfPerson } from '../../conversation/author.ts';
import { SelectField } from './select-field.tsx';
import { useAct } from './use-act.ts';
import { useLoadedList } from './use-loaded-list.ts';
import { useNextLine } from './use-next-line.ts';
import { useSettingsText } from './use-settings-text.ts';

/** The invites: more can be made, and those that there are copied and revoked. */
export function InvitesPage({ community }: { readonly community: MyCommunity }) {
  const { requests } = useCommunities();
  const { invites: words } = useSettingsText();
  const act = useAct();
  const { id } = community;
  const mayCreate = community.permissions.has('CREATE_INVITES');
  const list = useLoadedList(
    useCallback(
      async () => ({ entries: await requests.invites(id), next: undefined }),
      [requests, id],
    ),
  );
  const lines = useNextLine();
  const revoke = ({ code }: CommunityInvite) => {
    lines.leave();
    list.change((all) => all.filter((each) => each.code !== code));
    void act
      .run(() => requests.revokeInvite(id, code))
      .then((isDone) => {
        if (!isDone) void list.load();
      });
  };
  return (
    <>
      {mayCreate && (
        <NewInvite
          community={community}
          onMade={(invite) => list.change((all) => [invite, ...all])}
        />
      )}
      <p class="problem" role="alert">
        {act.problem}
      </p>
      <Loaded asked={list.asked.value} onRetry={() => void list.load()}>
        {({ entries }) => (
          <>
            {entries.length === 0 && <p class="hint">{words.none}</p>}
            <ul ref={lines.list} class="members">
              {entries.map((invite) => (
                <InviteLine key={invite.code} invite={invite} onRevoke={() => revoke(invite)} />
              ))}
            </ul>
          </>
        )}
      </Loaded>
    </>
  );
}

interface NewProps {
  readonly community: MyCommunity;
  readonly onMade: (invite: CommunityInvite) => void;
}

function NewInvite({ community, onMade }: NewProps) {
  const { requests } = useCommunities();
  const { invites: words } = useSettingsText();
  const navigation = useNavigation();
  const act = useAct();
  const [lasts, setLasts] = useState('604800');
  const [uses, setUses] = useState('0');
  const [made, setMade] = useState<string | undefined>(undefined);
  const create = () =>
    void act.run(async () => {
      const invite = await requests.createInvite(community.id, {
        ...(lasts !== '0' && { expires_at: Date.now() + Number(lasts) * 1_000 }),
        ...(uses !== '0' && { max_uses: Number(uses) }),
      });
      setMade(invite.code);
      onMade(invite);
    });
  return (
    <form
      class="account-form new-invite"
      noValidate
      onSubmit={(event) => {
        event.preventDefault();
        if (!act.isBusy) create();
      }}
    >
      <div class="field-row">
        <SelectField
          label={words.expires}
          names={words.expiries}
          value={lasts}
          onChange={setLasts}
        />
        <SelectField label={words.uses} names={words.useLimits} value={uses} onChange={setUses} />
      </div>
      <div class="form-end">
        <button type="submit" class="button button-primary" aria-disabled={act.isBusy}>
          {words.create}
        </button>
        <p class="problem" role="alert">
          {act.problem}
        </p>
      </div>
      {made !== undefined && (
        <LinkBox
          label={words.link}
          copy={words.copy}
          url={navigation.urlOf(webPath('invite', { code: made }))}
        />
      )}
    </form>
  );
}

interface LineProps {
  readonly invite: CommunityInvite;
  readonly onRevoke: () => void;
}

function InviteLine({ invite, onRevoke }: LineProps) {
  const { invites: words } = useSettingsText();
  const navigation = useNavigation();
  const formats = useFormats();
  const { code, uses, max_uses: most, expires_at: until, created_by: by } = invite;
  const facts = [
    words.used(formats.count(uses), most === undefined ? undefined : formats.count(most)),
    ...(until === undefined ? [] : [words.until(formats.moment(until))]),
    ...(by === undefined ? [] : [words.by(nameOfPerson(by))]),
  ];
  return (
    <li class="member">
      <div class="member-text">
        <p>
          <code>{code}</code>
        </p>
        <p class="hint">{facts.join(' · ')}</p>
      </div>
      <CopyButton
        class="icon-button"
        label={`${words.copy} ${code}`}
        text={navigation.urlOf(webPath('invite', { code }))}
      />
      <button type="button" class="button" aria-label={words.revokeOf(code)} onClick={onRevoke}>
        {words.revoke}
      </button>
    </li>
  );
}
