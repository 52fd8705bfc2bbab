/** The time that a finger stays before the menu opens, and the distance that it may move meanwhile, in CSS pixels. */
const PRESS_MS = 500;
const PRESS_SLIP = 10;

/** Calls `act` if the finger stays. Browsers for phones of one kind have no event for that. */
export function whenPressed({ clientX, clientY }: PointerEvent, act: () => void): void {
  const ending = new AbortController();
  const { signal } = ending;
  const timer = setTimeout(() => {
    ending.abort();
    ignoreClick();
    act();
  }, PRESS_MS);
  const end = () => {
    clearTimeout(timer);
    ending.abort();
  };
  const move = (event: PointerEvent) => {
    if (Math.hypot(event.clientX - clientX, event.clientY - clientY) > PRESS_SLIP) end();
  };
  document.addEventListener('pointermove', move, { signal });
  for (const name of ['pointerup', 'pointercancel', 'contextmenu'] as const) {
    document.addEventListener(name, end, { signal });
  }
}

/** Lets the finger that is on the page follow no link when it is lifted: what it does was something else than a tap. */
export function ignoreClick(): void {
  const ending = new AbortController();
  const options = { capture: true, signal: ending.signal };
  const ignore = (event: Event) => {
    event.preventDefault();
    event.stopPropagation();
    ending.abort();
  };
  document.addEventListener('click', ignore, options);
  document.addEventListener('pointerdown', () => ending.abort(), options);
}
