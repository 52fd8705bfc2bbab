import { useEffect, useState } from 'preact/hooks';

const SECOND_MS = 1000;

/** The milliseconds until `untilMs` (Unix), never below 0; redraws the view every second until then. */
export function useTimeLeft(untilMs: number | undefined): number {
  const [nowMs, setNowMs] = useState(Date.now);
  useEffect(() => {
    if (untilMs === undefined) return;
    const tick = () => setNowMs(Date.now());
    tick();
    const timer = setInterval(() => {
      tick();
      if (Date.now() >= untilMs) clearInterval(timer);
    }, SECOND_MS);
    return () => clearInterval(timer);
  }, [untilMs]);
  return untilMs === undefined ? 0 : Math.max(0, untilMs - nowMs);
}
