import { trustedScript } from '../lib/trusted-script.ts';

/** Built from `service-worker.ts`; next to the page. */
const SCRIPT = 'sw.js';

/** Lets the client open without a network, if the browser can do that: for pages that came over HTTPS or are local. */
export async function registerServiceWorker(): Promise<void> {
  if (!isSecureContext || navigator.serviceWorker === undefined) return;
  try {
    await navigator.serviceWorker.register(trustedScript(new URL(SCRIPT, document.baseURI).href), {
      updateViaCache: 'none',
    });
  } catch {
    // The client works without; an error from an unreachable or older server helps nobody.
  }
}
