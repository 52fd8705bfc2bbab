import { useViews } from '../../lib/views.ts';

interface PickerProps {
  readonly onPick: (emoji: string) => void;
  readonly onClose: () => void;
}

/** The emoji picker, which is loaded when it first opens. */
export function EmojiPickerOnDemand(props: PickerProps) {
  const views = useViews('later');
  return views === undefined ? null : <views.EmojiPicker {...props} />;
}
