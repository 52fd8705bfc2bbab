const LOST = 'hearth:part-lost';

/**
 * Loads a part of the page that is not part of the first load. If that fails, the page says so ({@link onLostPart}). Only a
 * reload is sure to help: Firefox asks for a module once, and an upgraded instance has other files.
 */
export async function loadPart<Part>(load: () => Promise<Part>): Promise<Part> {
  try {
    return await load();
  } catch (error) {
    dispatchEvent(new Event(LOST));
    throw error;
  }
}

/** Calls a function whenever a part could not be loaded, until the returned function is called. */
export function onLostPart(react: () => void): () => void {
  addEventListener(LOST, react);
  return () => removeEventListener(LOST, react);
}

/** Loads the page again if the instance serves it; otherwise the browser would show an error in its place. */
export async function reloadIfServed(): Promise<void> {
  const request = fetch(document.baseURI, { method: 'HEAD', cache: 'no-store' });
  const isServed = await request.then(
    ({ ok }) => ok,
    () => false,
  );
  if (isServed) location.reload();
}
