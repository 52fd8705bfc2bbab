import { useEffect, useReducer } from 'preact/hooks';

const SECOND_MS = 1000;

/** The milliseconds until `untilMs` (Unix), never below 0; redraws the view every second until then. */
export function useTimeLeft(untilMs: number | undefined): number {
  const [, redraw] = useReducer<number, void>((count) => count + 1, 0);
  useEffect(() => {
    if (untilMs === undefined) return;
    const timer = setInterval(() => {
      redraw();
      if (Date.now() >= untilMs) clearInterval(timer);
    }, SECOND_MS);
    return () => clearInterval(timer);
  }, [untilMs]);
  return untilMs === undefined ? 0 : Math.max(0, untilMs - Date.now());
}
