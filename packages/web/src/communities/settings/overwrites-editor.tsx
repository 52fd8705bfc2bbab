import { useEffect, useMemo, useState } from 'preact/hooks';
import type { Channel, Id, Member, Permission, WrittenOverwrite } from '@hearth/protocol';
import { DeleteIcon } from '../../ui/action-icons.tsx';
import type { MyCommunity } from '@hearth/sdk';
import { PagedList } from '../paged-list.ts';
import { useCommunities } from '../use-communities.ts';
import { Outcome } from './outcome.tsx';
import { GROUP_NAMES, NOT_OF_CHANNELS, PERMISSION_GROUPS } from './permission-groups.ts';
import { SelectField } from './select-field.tsx';
import { stateOf, withState, type OverwriteState } from './overwrite-state.ts';
import { useAct, type Act } from './use-act.ts';
import { useSettingsText } from './use-settings-text.ts';

interface EditorProps {
  readonly community: MyCommunity;
  readonly channel: Channel;
  readonly onChanged: () => void;
}

/** What roles and members are allowed and denied in a channel: each permission has three states. */
export function OverwritesEditor({ community, channel, onChanged }: EditorProps) {
  const words = useSettingsText();
  const act = useAct();
  const members = useMembers(community.id);
  const names = namesOf(community, members, words.roles.everyone);
  const { chosen, shown, setChosen, change, remove } = useOverwrites({
    channel,
    onChanged,
    act,
    isMember: (id) => members.some(({ user }) => user.id === id),
  });
  return (
    <div class="overwrites">
      <p class="hint">{words.overwrites.hint}</p>
      <SelectField
        label={words.overwrites.choose}
        names={names}
        value={chosen}
        onChange={setChosen}
      />
      {shown !== undefined && (
        <>
          <OverwriteStates
            name={names[chosen] ?? ''}
            overwrite={shown}
            isPost={channel.kind === 'posts'}
            onChange={change}
          />
          {(channel.overwrites ?? []).some(({ id }) => id === chosen) && (
            <button type="button" class="button button-plain" onClick={remove}>
              <DeleteIcon />
              {words.overwrites.remove(names[chosen] ?? '')}
            </button>
          )}
        </>
      )}
      <Outcome act={act} />
    </div>
  );
}

interface OverwritesOptions {
  readonly channel: Channel;
  readonly onChanged: () => void;
  readonly act: Act;
  readonly isMember: (id: Id) => boolean;
}

function useOverwrites({ channel, onChanged, act, isMember }: OverwritesOptions) {
  const { requests } = useCommunities();
  const [chosen, setChosen] = useState<string>(channel.community_id);
  // Shown before the instance has it.
  const [drafts, setDrafts] = useState<ReadonlyMap<string, WrittenOverwrite>>(new Map());
  const stored = channel.overwrites?.find(({ id }) => id === chosen);
  // Guarantee: the choices are identifiers.
  const id = chosen as Id;
  const nothing: WrittenOverwrite = {
    id,
    kind: isMember(id) ? 'member' : 'role',
    allow: [],
    deny: [],
  };
  const shown = drafts.get(chosen) ?? stored ?? nothing;
  const forget = () => setDrafts(new Map());
  const change = (permission: Permission, state: OverwriteState) => {
    const next = withState(shown, permission, state);
    setDrafts(new Map(drafts).set(chosen, next));
    const { kind, allow, deny } = next;
    void act
      .run(() => requests.setOverwrite(channel.id, id, { kind, allow, deny }))
      .then((isSaved) => (isSaved ? onChanged() : forget()));
  };
  const remove = () => {
    forget();
    void act.run(() => requests.deleteOverwrite(channel.id, id)).then(onChanged);
  };
  return { chosen, shown, setChosen, change, remove };
}

interface StatesProps {
  readonly name: string;
  readonly overwrite: WrittenOverwrite;
  readonly isPost: boolean;
  readonly onChange: (permission: Permission, state: OverwriteState) => void;
}

function OverwriteStates({ name, overwrite, isPost, onChange }: StatesProps) {
  const words = useSettingsText();
  const { permissions } = words;
  const groups = GROUP_NAMES.filter((group) => group !== (isPost ? 'messages' : 'posts'));
  return (
    <>
      {groups.map((group) => {
        const shown = PERMISSION_GROUPS[group].filter((each) => !NOT_OF_CHANNELS.has(each));
        if (shown.length === 0) return null;
        return (
          <fieldset key={group} class="permission-group">
            <legend>{permissions.groups[group]}</legend>
            {shown.map((permission) => (
              <ThreeStates
                key={permission}
                label={permissions.names[permission].name}
                group={words.overwrites.group(permissions.names[permission].name, name)}
                state={stateOf(overwrite, permission)}
                onChange={(state) => onChange(permission, state)}
              />
            ))}
          </fieldset>
        );
      })}
    </>
  );
}

const STATES = ['deny', 'inherit', 'allow'] as const;

const SIGNS = { deny: '✕', inherit: '–', allow: '✓' } as const;

interface ThreeProps {
  readonly label: string;
  readonly group: string;
  readonly state: OverwriteState;
  readonly onChange: (state: OverwriteState) => void;
}

function ThreeStates({ label, group, state, onChange }: ThreeProps) {
  const { overwrites: words } = useSettingsText();
  return (
    <div class="three-states" role="radiogroup" aria-label={group}>
      <span>{label}</span>
      <span class="three-values">
        {STATES.map((each) => (
          <label key={each} data-state={each} title={words.states[each]}>
            <input
              type="radio"
              name={group}
              checked={each === state}
              aria-label={words.states[each]}
              onChange={() => onChange(each)}
            />
            <span aria-hidden="true">{SIGNS[each]}</span>
          </label>
        ))}
      </span>
    </div>
  );
}

/** The members that can be chosen: the first page of them. */
function useMembers(community: Id): readonly Member[] {
  const { requests } = useCommunities();
  const list = useMemo(
    () =>
      new PagedList<Member>((cursor) => requests.members(community, { ...(cursor && { cursor }) })),
    [requests, community],
  );
  useEffect(() => void list.load(), [list]);
  const asked = list.asked.value;
  return asked.state === 'there' ? asked.value.entries : [];
}

function namesOf(
  { id, roles }: MyCommunity,
  members: readonly Member[],
  everyone: string,
): Readonly<Record<string, string>> {
  // Ids are long numbers, so their order in an object is that in which they were added.
  return Object.fromEntries([
    [id, `@${everyone}`],
    ...roles
      .filter((role) => role.id !== id)
      .toReversed()
      .map((role) => [role.id, `@${role.name}`]),
    ...members.map(({ user, nickname }) => [
      user.id,
      nickname ?? user.display_name ?? user.username,
    ]),
  ]) as Readonly<Record<string, string>>;
}
