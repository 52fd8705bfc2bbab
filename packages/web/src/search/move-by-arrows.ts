import type { TargetedKeyboardEvent } from 'preact';

/** Arrows move from the field of the words to what was found, and from hit to hit. Among cards, `j` and `k` do. */
export function moveByArrows(event: TargetedKeyboardEvent<HTMLElement>): void {
  const { key, target, currentTarget } = event;
  if (key !== 'ArrowDown' && key !== 'ArrowUp') return;
  if (!(target instanceof Element) || !target.matches('.search-text, .search-hit')) return;
  const stops = Array.from(
    currentTarget.querySelectorAll<HTMLElement>('.search-text, .search-hit, .post-card'),
  );
  const next = stops[stops.findIndex((stop) => stop === target) + (key === 'ArrowDown' ? 1 : -1)];
  if (next === undefined) return;
  event.preventDefault();
  next.focus();
}
