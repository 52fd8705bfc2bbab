import { nameOfPerson } from '../conversation/author.ts';
import type { Id } from '@hearth/protocol';
import { useCommunityText } from '../communities/use-community-text.ts';
import type { Typing } from './typing.ts';

interface LineProps {
  readonly typing: Typing;
  readonly channelId: Id;
}

/** Shows who is writing in a channel. It keeps its place, so that nothing moves. */
export function TypingLine({ typing, channelId }: LineProps) {
  const { channel: words } = useCommunityText();
  const people = typing.people.value.get(channelId) ?? [];
  const names = people.map(({ user }) => nameOfPerson(user));
  const [first = '', second = ''] = names;
  return (
    <p class="typing-line" aria-live="off">
      {names.length === 1 && words.typing(first)}
      {names.length === 2 && words.typingTwo(first, second)}
      {names.length > 2 && words.typingMany}
    </p>
  );
}
