import { effect, signal, type ReadonlySignal } from '@preact/signals';
import {
  createLightClient,
  ForbiddenError,
  NotFoundError,
  type ConnectionState,
} from '@hearth/sdk';
import { AccessCode, withoutCode } from '../connection/access-code.ts';
import type { Storages } from '../lib/storage.ts';
import type { ReachedInstance } from './own-services.ts';

/** The access code that the instance may need. */
export interface Access {
  readonly code: AccessCode;
  /** True if the instance wants a code before anything else. */
  readonly isCodeMissing: ReadonlySignal<boolean>;
  /** Resolves with whether the instance accepts a code. Throws the errors of the SDK. */
  readonly accepts: (code: string) => Promise<boolean>;
}

/** The code of this page, which does not stay in the address. A link with another one starts the page again. */
export function takeAccessCode(instanceUrl: string, storages: Storages): AccessCode {
  window.addEventListener('hashchange', ({ newURL }) => {
    if (withoutCode(newURL) !== undefined) location.reload();
  });
  const { href } = location;
  const code = new AccessCode({ storages, instanceUrl, url: href });
  const clean = withoutCode(href);
  if (clean !== undefined) history.replaceState(history.state, '', clean);
  return code;
}

/** Watches whether the instance accepts `code`. If it does not, the page starts again with the one that was kept before. */
export function watchAccess(
  instance: ReachedInstance,
  code: AccessCode,
  connection: ReadonlySignal<ConnectionState>,
): Access {
  // What the page says may be old: the connection shows whether it is true.
  const isCodeMissing = signal(instance.isCodeNeeded && code.current.peek() === undefined);
  effect(() => {
    const { value } = connection;
    if (value.state === 'open') {
      code.accepted();
      isCodeMissing.value = false;
    }
    if (value.state !== 'closed' || value.reason !== 'access_code') return;
    if (code.refused()) location.reload();
    else isCodeMissing.value = true;
  });
  return { code, isCodeMissing, accepts: (each) => accepts(instance, each) };
}

/** A server without a history is not asked: its gateway decides. */
async function accepts({ info, options }: ReachedInstance, accessCode: string): Promise<boolean> {
  await using client = createLightClient(info, { ...options, accessCode });
  try {
    await client.rest.listMessages({ limit: 1 });
  } catch (error) {
    if (error instanceof ForbiddenError) return false;
    if (!(error instanceof NotFoundError)) throw error;
  }
  return true;
}
