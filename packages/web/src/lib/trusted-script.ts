/** The policy of the page, once it is needed: a browser allows each name once. */
let policy: ScriptPolicy | undefined;

/** `url`, one of our own scripts, in the form that the page's policy requires, in browsers that know it. */
export function trustedScript(url: string): string {
  const trustedTypes: unknown = Reflect.get(globalThis, 'trustedTypes');
  if (!hasPolicies(trustedTypes)) return url;
  policy ??= trustedTypes.createPolicy('hearth', { createScriptURL: same });
  return policy.createScriptURL(url);
}

// Guarantee: only constants ever go through it.
function same(url: string): string {
  return url;
}

interface ScriptPolicy {
  /** A TrustedScriptURL, which is used as the text that it stands for. */
  createScriptURL(url: string): string;
}

interface PolicyFactory {
  createPolicy(name: string, rules: ScriptPolicy): ScriptPolicy;
}

function hasPolicies(value: unknown): value is PolicyFactory {
  return typeof value === 'object' && value !== null && 'createPolicy' in value;
}
