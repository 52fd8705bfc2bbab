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

/** `url` in the form that the page's policy requires, in browsers that know it. */
function trustedScript(url: string): string {
  const trustedTypes: unknown = Reflect.get(globalThis, 'trustedTypes');
  if (!hasPolicies(trustedTypes)) return url;
  return trustedTypes.createPolicy('hearth', { createScriptURL: same }).createScriptURL(url);
}

// Guarantee: only the constant above ever goes through it.
function same(url: string): string {
  return url;
}

interface PolicyFactory {
  createPolicy(
    name: string,
    rules: { createScriptURL(url: string): string },
  ): {
    /** A TrustedScriptURL, which is used as the text that it stands for. */ createScriptURL(
      url: string,
    ): string;
  };
}

function hasPolicies(value: unknown): value is PolicyFactory {
  return typeof value === 'object' && value !== null && 'createPolicy' in value;
}
