import { useState } from 'preact/hooks';
import type { Member } from '@hearth/protocol';
import { Field } from '../../account/field.tsx';
import type { MyCommunity } from '@hearth/sdk';
import { useMovedFocus } from '../../ui/use-moved-focus.ts';
import { useCommunities } from '../use-communities.ts';
import { SelectField } from './select-field.tsx';
import { useAct } from './use-act.ts';
import { useSettingsText } from './use-settings-text.ts';
import { typedText } from '../../lib/typed-text.ts';

interface RemovalProps {
  readonly community: MyCommunity;
  readonly member: Member;
  readonly mayKick: boolean;
  readonly mayBan: boolean;
  readonly onRemoved: () => void;
}

/** Removes a member, or bans them; each after a second press. */
export function MemberRemoval(props: RemovalProps) {
  const { mayKick, mayBan } = props;
  const { members: words } = useSettingsText();
  const [asked, setAsked] = useState<'kick' | 'ban' | undefined>(undefined);
  const [last, setLast] = useState(asked);
  const focus = useMovedFocus();
  const ask = (kind: 'kick' | 'ban') => {
    setLast(kind);
    setAsked(kind);
  };
  if (asked !== undefined) {
    const cancel = (button: HTMLElement) => {
      focus.leave(button);
      setAsked(undefined);
    };
    return <RemovalForm {...props} kind={asked} onCancel={cancel} />;
  }
  return (
    <div class="form-end">
      {mayKick && (
        <button
          ref={last === 'kick' ? focus.arrive : null}
          type="button"
          class="button button-danger-quiet"
          onClick={() => ask('kick')}
        >
          {words.kick}
        </button>
      )}
      {mayBan && (
        <button
          ref={last === 'ban' ? focus.arrive : null}
          type="button"
          class="button button-danger-quiet"
          onClick={() => ask('ban')}
        >
          {words.ban}
        </button>
      )}
    </div>
  );
}

interface FormProps extends RemovalProps {
  readonly kind: 'kick' | 'ban';
  /** Called with the button that was pressed. */
  readonly onCancel: (button: HTMLElement) => void;
}

function RemovalForm(props: FormProps) {
  const { kind, onCancel } = props;
  const words = useSettingsText();
  const { members, cancel } = words;
  const { act, reason, setReason, lasts, setLasts, removal, setRemoval, submit } =
    useRemoval(props);
  return (
    <form
      class="confirm"
      noValidate
      onSubmit={(event) => {
        event.preventDefault();
        if (!act.isBusy) void submit();
      }}
    >
      <p>{kind === 'kick' ? members.kickText : members.banText}</p>
      <Field
        field={{ name: 'reason', value: reason, problem: undefined, onChange: setReason }}
        label={members.reason}
        hint={members.reasonHint}
        autocomplete="off"
        isProse
        isFirst
      />
      {kind === 'ban' && (
        <>
          <SelectField
            label={members.banUntil}
            names={members.banFor}
            value={lasts}
            onChange={setLasts}
          />
          <SelectField
            label={members.removal}
            names={members.removals}
            value={removal}
            onChange={setRemoval}
          />
        </>
      )}
      <div class="form-end">
        <button type="submit" class="button button-danger" aria-disabled={act.isBusy}>
          {kind === 'kick' ? members.kick : members.ban}
        </button>
        <button
          type="button"
          class="button"
          onClick={({ currentTarget }) => onCancel(currentTarget)}
        >
          {cancel}
        </button>
      </div>
      <p class="problem" role="alert">
        {act.problem}
      </p>
    </form>
  );
}

function useRemoval({ community, member, kind, onRemoved }: FormProps) {
  const { requests } = useCommunities();
  const act = useAct();
  const [reason, setReason] = useState('');
  const [lasts, setLasts] = useState('0');
  const [removal, setRemoval] = useState('0');
  const submit = async () => {
    const { id } = member.user;
    const why = typedText(reason) || undefined;
    const seconds = Number(lasts);
    const isDone = await act.run(() =>
      kind === 'kick'
        ? requests.kick(community.id, id, why)
        : requests.ban(community.id, id, {
            ...(why !== undefined && { reason: why }),
            ...(seconds > 0 && { expires_at: Date.now() + seconds * 1_000 }),
            ...(removal !== '0' && { delete_seconds: Number(removal) }),
          }),
    );
    if (isDone) onRemoved();
  };
  return { act, reason, setReason, lasts, setLasts, removal, setRemoval, submit };
}
