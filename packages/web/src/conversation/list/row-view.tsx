import { Component } from 'preact';
import type { MarkdownCache } from '@hearth/markdown';
import { useFormats, useText } from '../../text/use-text.ts';
import type { GapEntry } from '../messages/entry.ts';
import { DayJump } from '../reading/day-jump.tsx';
import { NewLine } from '../reading/new-line.tsx';
import { MessageView } from './message-row.tsx';
import type { TimelineRow } from './timeline.ts';

interface RowViewProps {
  readonly row: TimelineRow;
  readonly markdown: MarkdownCache;
}

/** One row of the list. It is drawn again if its row is another object, and not because the list scrolls. */
export class RowView extends Component<RowViewProps> {
  override shouldComponentUpdate(next: RowViewProps): boolean {
    return next.row !== this.props.row;
  }

  override render({ row, markdown }: RowViewProps) {
    switch (row.kind) {
      case 'beginning':
        return <Beginning />;
      case 'day':
        return <DayLine dayMs={row.dayMs} />;
      case 'gap':
        return <GapLine gap={row.gap} />;
      case 'new':
        return <NewLine />;
      case 'message':
        return <MessageView row={row} markdown={markdown} />;
    }
  }
}

function Beginning() {
  const { conversation: words } = useText();
  return <p class="beginning">{words.beginning}</p>;
}

function DayLine({ dayMs }: { readonly dayMs: number }) {
  return (
    <div class="day-line">
      <DayJump dayMs={dayMs} />
    </div>
  );
}

function GapLine({ gap }: { readonly gap: GapEntry }) {
  const { conversation: words } = useText();
  const formats = useFormats();
  return <p class="gap-line">{words.gap(formats.time(gap.fromMs), formats.time(gap.untilMs))}</p>;
}
