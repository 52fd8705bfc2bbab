/** The address of a resource below `base`, which may end in slashes. Each segment is fully encoded. */
export function joinUrl(base: string, ...segments: readonly string[]): string {
  return [base.replace(/\/+$/, ''), ...segments.map(encodeURIComponent)].join('/');
}
