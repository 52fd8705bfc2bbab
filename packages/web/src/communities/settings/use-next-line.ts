import type { RefObject } from 'preact';
import { useLayoutEffect, useRef } from 'preact/hooks';

/** The place to which the focus goes when a line of a list is removed. */
export interface NextLine {
  /** For the `ref` of the list. */
  readonly list: RefObject<HTMLUListElement | null>;
  /** To be called before a line is removed, by default the one that has the focus. */
  readonly leave: (line?: number) => void;
}

/** Moves the focus from a line that is removed to the same control of the next one, or to the title of the page. */
export function useNextLine(): NextLine {
  const list = useRef<HTMLUListElement>(null);
  const left = useRef<{ readonly line: number; readonly control: number } | undefined>(undefined);
  useLayoutEffect(() => {
    if (left.current === undefined) return;
    const { line, control } = left.current;
    left.current = undefined;
    const lines = Array.from(list.current?.children ?? []);
    const controls = lines[Math.min(line, lines.length - 1)]?.querySelectorAll('button');
    const title = document.querySelector<HTMLElement>('.settings-page .settings-title');
    (controls?.[Math.min(control, controls.length - 1)] ?? title)?.focus();
  });
  const leave = (line?: number) => {
    const focused = document.activeElement;
    const lines = Array.from(list.current?.children ?? []);
    const at = line ?? lines.findIndex((each) => each.contains(focused));
    if (at === -1) return;
    const controls = Array.from(lines[at]?.querySelectorAll('button') ?? []);
    left.current = {
      line: at,
      control: Math.max(
        0,
        controls.findIndex((each) => each === focused),
      ),
    };
  };
  return { list, leave };
}
