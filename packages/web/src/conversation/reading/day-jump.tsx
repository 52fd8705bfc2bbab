import { useRef } from 'preact/hooks';
import { firstIdAt } from '@hearth/sdk';
import { useFormats, useText } from '../../text/use-text.ts';
import { ChevronIcon } from '../../ui/icons.tsx';
import { useToday } from '../../ui/use-today.ts';
import { useConversation } from '../use-conversation.ts';
import { dateOf, startOfDate } from './dates.ts';

/** The name of a day, and a calendar for jumping to another one. */
export function DayJump({ dayMs }: { readonly dayMs: number }) {
  const { place } = useConversation();
  const { reading: words } = useText();
  const formats = useFormats();
  const today = useToday();
  const input = useRef<HTMLInputElement>(null);
  const day = formats.day(dayMs, today);
  const jump = (value: string) => {
    const startMs = startOfDate(value);
    if (startMs !== undefined) void place.seek(firstIdAt(startMs), { orNext: true });
  };
  return (
    <span class="day-jump">
      <button
        type="button"
        class="day-button"
        aria-label={words.jumpToDate(day)}
        title={words.jumpToDate(day)}
        onClick={() => input.current?.showPicker()}
      >
        <span>{day}</span>
        <ChevronIcon />
      </button>
      <input
        ref={input}
        type="date"
        class="day-input"
        // The button opens its calendar.
        tabIndex={-1}
        aria-hidden="true"
        value={dateOf(dayMs)}
        max={dateOf(today)}
        onChange={(event) => jump(event.currentTarget.value)}
      />
    </span>
  );
}
