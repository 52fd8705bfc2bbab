import { effect, untracked } from '@preact/signals';
import { inviteCodeIn, webPath } from '@hearth/protocol';
import type { Router } from './router.ts';

/** Shows the page for a new account to somebody who comes by the link of an invite; returns a function that stops it. */
export function followInvite(router: Router, addressOf: () => string): () => void {
  return effect(() => {
    const { place } = router.visit.value;
    const { hash } = new URL(addressOf());
    if (place?.name !== 'home' || inviteCodeIn(hash) === undefined) return;
    untracked(() =>
      router.goTo(router.urlOf(webPath('register', {})) + hash, { isReplacing: true }),
    );
  });
}
