import type { DataPlace } from '@hearth/testing/instances/as-owner';
import { GENEROUS_LIMITS, type TestInstance } from '@hearth/testing/instances/test-instance';

/** An instance that trusts proxies on this machine, and its processes. */
export interface ModeratedInstance extends AsyncDisposable {
  readonly place: DataPlace;
  /** The instance, addressed through different processes or ports if it has them. */
  readonly processes: readonly Pick<TestInstance, 'addresses'>[];
  /** True if its services share a process, and so what they know. */
  readonly isOneProcess: boolean;
}

/** Limits that only guesses reach. */
export const THREE_GUESSES = GENEROUS_LIMITS.replace(
  /^auth = .*$/m,
  'auth = { reset_after = 60, limit = 3 }',
);
