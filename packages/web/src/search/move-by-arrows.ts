/** Arrows move from the field of the words to what was found, and from hit to hit. */
export function moveByArrows(event: KeyboardEvent): void {
  const { key, target } = event;
  if (key !== 'ArrowDown' && key !== 'ArrowUp') return;
  if (!(target instanceof Element) || !target.matches('.search-text, .search-hit')) return;
  const search = target.closest('dialog');
  const stops = [...(search?.querySelectorAll<HTMLElement>('.search-text, .search-hit') ?? [])];
  const next = stops[stops.findIndex((stop) => stop === target) + (key === 'ArrowDown' ? 1 : -1)];
  if (next === undefined) return;
  event.preventDefault();
  next.focus();
}
