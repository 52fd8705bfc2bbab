import { useEffect, useRef, useState } from 'preact/hooks';

/** The place to which the focus goes when something that takes the place of a list is closed. */
export interface OpenedLine {
  /** To be called when a line of the list is opened; `line` is its `data-line`. */
  readonly opened: (line: string) => void;
  /** To be called when it is closed; `isGone` if the line is removed. */
  readonly closed: (isGone: boolean) => void;
}

/** Moves the focus back to the line that was opened, or to the title of the page if there is none. */
export function useOpenedLine(): OpenedLine {
  const line = useRef<string | undefined>(undefined);
  // A state, so that the list is there again when the focus moves.
  const [timesClosed, setTimesClosed] = useState(0);
  useEffect(() => {
    if (timesClosed === 0) return;
    const page = document.querySelector('.settings-page');
    const opener = page?.querySelector<HTMLElement>(`[data-line="${line.current ?? ''}"]`);
    (opener ?? page?.querySelector<HTMLElement>('.settings-title'))?.focus();
  }, [timesClosed]);
  return {
    opened(name) {
      line.current = name;
    },
    closed(isGone) {
      if (isGone) line.current = undefined;
      setTimesClosed((before) => before + 1);
    },
  };
}
