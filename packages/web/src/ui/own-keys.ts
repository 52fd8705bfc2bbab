/** The code of a key that an input method has taken. In Safari, the key that ends a composition comes after the composition. */
const TAKEN = 229;

/** The part of an event that says whose the key is. */
type Pressed = Pick<KeyboardEvent, 'isComposing' | 'keyCode'>;

/**
 * Makes a handler of keys that gets only the page's own: an input method uses Enter, Escape and arrows to choose among
 * characters. All keys of the page are read through this function or {@link listenToKeys}.
 */
export function ownKeys<Event extends Pressed>(
  handle: (event: Event) => void,
): (event: Event) => void {
  return (event) => {
    if (!event.isComposing && event.keyCode !== TAKEN) handle(event);
  };
}

/** Calls `handle` with the page's own keys in an element. Returns a function that ends this. */
export function listenToKeys(
  handle: (event: KeyboardEvent) => void,
  element: Document | Element = document,
): () => void {
  const ending = new AbortController();
  const own = ownKeys(handle);
  const onKeyDown = (event: Event) => {
    // Some browsers report a choice that they fill in as a key without one.
    if (event instanceof KeyboardEvent) own(event);
  };
  element.addEventListener('keydown', onKeyDown, { signal: ending.signal });
  return () => ending.abort();
}
