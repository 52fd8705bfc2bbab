import { useState } from 'preact/hooks';
import type { Member } from '@hearth/protocol';
import { Field } from '../../account/field.tsx';
import { Form } from '../../account/form.tsx';
import type { MyCommunity } from '@hearth/sdk';
import { useMovedFocus } from '../../ui/use-moved-focus.ts';
import { useCommunities } from '../use-communities.ts';
import { SelectField } from './select-field.tsx';
import { useSettingsForm } from './use-settings-form.ts';
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
  const { members: words, cancel } = useSettingsText();
  const form = useRemovalForm(props);
  return (
    <div class="confirm">
      <Form
        form={form}
        action={words[kind]}
        look="danger"
        intro={<p>{kind === 'kick' ? words.kickText : words.banText}</p>}
        beside={
          <button
            type="button"
            class="button"
            onClick={({ currentTarget }) => onCancel(currentTarget)}
          >
            {cancel}
          </button>
        }
      >
        <Field
          field={form.field('reason')}
          label={words.reason}
          hint={words.reasonHint}
          autocomplete="off"
          isProse
          isFirst
        />
        {kind === 'ban' && (
          <>
            <SelectField
              label={words.banUntil}
              names={words.banFor}
              value={form.draft.lasts}
              onChange={(lasts) => form.change({ lasts })}
            />
            <SelectField
              label={words.removal}
              names={words.removals}
              value={form.draft.removal}
              onChange={(removal) => form.change({ removal })}
            />
          </>
        )}
      </Form>
    </div>
  );
}

function useRemovalForm({ community, member, kind, onRemoved }: FormProps) {
  const { requests } = useCommunities();
  const { id } = member.user;
  return useSettingsForm({
    initial: { reason: '', lasts: '0', removal: '0' },
    async submit({ reason: typed, lasts, removal }) {
      const reason = typedText(typed) || undefined;
      const seconds = Number(lasts);
      await (kind === 'kick'
        ? requests.kick(community.id, id, reason)
        : requests.ban(community.id, id, {
            ...(reason !== undefined && { reason }),
            ...(seconds > 0 && { expires_at: Date.now() + seconds * 1_000 }),
            ...(removal !== '0' && { delete_seconds: Number(removal) }),
          }));
      onRemoved();
    },
  });
}
