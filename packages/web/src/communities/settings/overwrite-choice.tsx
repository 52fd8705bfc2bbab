import { useId, useRef, useState } from 'preact/hooks';
import type { Id, Member } from '@hearth/protocol';
import type { MyCommunity } from '@hearth/sdk';
import { Avatar } from '../../account/avatar.tsx';
import { Loaded } from '../../conversation/loaded.tsx';
import { nameOfMember } from './names.ts';
import { useMembers } from './use-members.ts';
import { useSettingsText } from './use-settings-text.ts';

/** The number of members that a search shows; a reader who looks for another one types more. */
const MOST_SHOWN = 6;

interface ChoiceProps {
  readonly community: MyCommunity;
  /** The names that can be chosen, in their order. */
  readonly names: Readonly<Record<string, string>>;
  readonly isSet: (id: string) => boolean;
  readonly chosen: string;
  readonly onChoose: (id: string) => void;
  /** Called with a member for whom nothing may be set yet. */
  readonly onFound: (member: Member) => void;
}

/** The role or member for whom something is set in a channel; other members are found by their names. */
export function OverwriteChoice(props: ChoiceProps) {
  const { community, names, isSet, chosen, onChoose, onFound } = props;
  const { overwrites: words } = useSettingsText();
  const id = useId();
  const select = useRef<HTMLSelectElement>(null);
  const groups = [
    { label: words.isSet, those: Object.entries(names).filter(([each]) => isSet(each)) },
    { label: words.isNotSet, those: Object.entries(names).filter(([each]) => !isSet(each)) },
  ];
  return (
    <div class="field-row">
      <div class="field">
        <label for={id}>{words.choose}</label>
        <select
          ref={select}
          id={id}
          class="text-field"
          value={chosen}
          onChange={(event) => onChoose(event.currentTarget.value)}
        >
          {groups.map(({ label, those }) =>
            those.length === 0 ? null : (
              <optgroup key={label} label={label}>
                {those.map(([each, name]) => (
                  <option key={each} value={each} selected={each === chosen}>
                    {name}
                  </option>
                ))}
              </optgroup>
            ),
          )}
        </select>
      </div>
      <MemberSearch
        community={community.id}
        onFound={(member) => {
          onFound(member);
          select.current?.focus();
        }}
      />
    </div>
  );
}

interface SearchProps {
  readonly community: Id;
  readonly onFound: (member: Member) => void;
}

function MemberSearch({ community, onFound }: SearchProps) {
  const { overwrites: words } = useSettingsText();
  const [typed, setTyped] = useState('');
  const isSearching = typed.trim() !== '';
  return (
    <div class="field member-search">
      <label class="field-label">
        <span>{words.find}</span>
        <input
          dir="auto"
          class="text-field"
          type="search"
          autocomplete="off"
          placeholder={words.findHint}
          value={typed}
          onInput={(event) => setTyped(event.currentTarget.value)}
        />
      </label>
      {isSearching && (
        <FoundMembers
          community={community}
          typed={typed}
          onFound={(member) => {
            setTyped('');
            onFound(member);
          }}
        />
      )}
    </div>
  );
}

function FoundMembers({ community, typed, onFound }: SearchProps & { readonly typed: string }) {
  const { members: words } = useSettingsText();
  const list = useMembers(community, typed);
  return (
    <Loaded asked={list.asked.value} onRetry={() => void list.load()}>
      {({ entries }) => (
        <>
          <p class="hint" role="status">
            {entries.length === 0 && words.none}
          </p>
          <ul class="member-picks">
            {entries.slice(0, MOST_SHOWN).map((member) => (
              <li key={member.user.id}>
                <button type="button" class="member-pick" onClick={() => onFound(member)}>
                  <Avatar name={member.user.username} picture={member.user.avatar} size={24} />
                  <bdi>{nameOfMember(member)}</bdi>
                  <span class="hint">@{member.user.username}</span>
                </button>
              </li>
            ))}
          </ul>
        </>
      )}
    </Loaded>
  );
}
