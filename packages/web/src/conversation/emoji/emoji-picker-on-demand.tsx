import type { ComponentType } from 'preact';
import { useEffect, useRef, useState } from 'preact/hooks';
import { loadPart } from '../../lib/load-part.ts';

interface PickerProps {
  readonly onPick: (emoji: string) => void;
  readonly onClose: () => void;
}

/** The emoji picker, which is loaded when it first opens. */
export function EmojiPickerOnDemand({ onPick, onClose }: PickerProps) {
  const [View, setView] = useState<ComponentType<PickerProps> | undefined>(undefined);
  const close = useRef(onClose);
  close.current = onClose;
  useEffect(() => {
    void loadPart('later.ts', () => import('../../later.ts')).then(({ EmojiPicker }) =>
      setView(() => EmojiPicker),
    );
  }, []);
  return View === undefined ? null : <View onPick={onPick} onClose={onClose} />;
}
