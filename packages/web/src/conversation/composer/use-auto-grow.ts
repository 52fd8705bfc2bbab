import type { RefObject } from 'preact';
import { useLayoutEffect } from 'preact/hooks';

/** Makes a box as high as its text, in browsers whose style sheets cannot; a style sheet sets the limits. */
export function useAutoGrow(box: RefObject<HTMLTextAreaElement | null>, text: string): void {
  useLayoutEffect(() => {
    const element = box.current;
    if (element === null || CSS.supports('field-sizing', 'content')) return;
    element.style.height = 'auto';
    element.style.height = `${element.scrollHeight}px`;
  }, [box, text]);
}
