import { effect, signal } from '@preact/signals';
import type { Navigation } from '../ui/use-navigation.ts';
import type { Router, Visit } from './router.ts';
import { dialogOf, shownAt } from './shown-at.ts';

/** The router, as views use it. */
export function navigationOf(router: Router): Navigation {
  const arrival = signal<Visit>(router.visit.peek());
  let isCovered = false;
  effect(() => {
    const visit = router.visit.value;
    const isDialog = dialogOf(shownAt(visit.place)) !== undefined;
    const isUncovered = isCovered && visit.isReturn;
    isCovered = isDialog;
    if (!isDialog && !isUncovered) arrival.value = visit;
  });
  return {
    go: (path) => router.go(path),
    goTo: (url, options) => router.goTo(url, options),
    urlOf: (path) => router.urlOf(path),
    arrival,
  };
}
