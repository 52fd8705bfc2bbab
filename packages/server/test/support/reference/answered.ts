import type { Route } from '../../../src/http/route.ts';
import type { InstanceContext } from '../../../src/instance-context.ts';
import type { Recording } from './record.ts';

/** A route, with what a real instance has answered. */
export interface Answered {
  readonly service: 'rest' | 'files';
  readonly route: Route<InstanceContext>;
  readonly recording: Recording | undefined;
  /** Lines about what the route answers to whom, from the table of cases. */
  readonly callers: readonly string[];
}
