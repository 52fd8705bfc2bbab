/** The extent of an item or a view, from its top to its bottom. */
export type Extent = Pick<DOMRect, 'top' | 'bottom'>;

/** Places are fractions of pixels. */
const TOLERANCE = 1;

/** Which of the items the reader looks at first: the first one that begins in the view, or else the first one that reaches into it. */
export function firstInView(items: readonly Extent[], view: Extent): number {
  const begins = items.findIndex(
    ({ top, bottom }) => top >= view.top - TOLERANCE && top < view.bottom && bottom > top,
  );
  if (begins !== -1) return begins;
  const reaches = items.findIndex(({ bottom }) => bottom > view.top);
  return reaches === -1 ? items.length - 1 : reaches;
}
