import { useEffect, useState } from 'preact/hooks';
import { startOfDay } from '../text/formats.ts';

const LOOK_MS = 30_000;

/** When today began, in Unix milliseconds; redraws the view when the day changes. */
export function useToday(): number {
  const [today, setToday] = useState(() => startOfDay(Date.now()));
  useEffect(() => {
    // Not one timer until midnight: machines sleep, and clocks are set.
    const timer = setInterval(() => setToday(startOfDay(Date.now())), LOOK_MS);
    return () => clearInterval(timer);
  }, []);
  return today;
}
