import type { ConnectionState } from '../types.ts';
import type { Link } from './link.ts';
import type { Opening } from './opening.ts';
import type { Parting } from './parting.ts';

/** The state of a connection to the gateway, with what belongs to it. */
export type Phase =
  | { readonly state: 'idle' }
  | {
      readonly state: 'connecting';
      readonly attempt: number;
      readonly abort: AbortController;
      readonly link?: Link;
    }
  | {
      readonly state: 'open';
      readonly attempt: number;
      readonly link: Link;
      readonly profile: Opening['profile'];
      readonly isCurrent: boolean;
      readonly sinceMs: number;
    }
  | {
      readonly state: 'waiting';
      readonly attempt: number;
      readonly retryAtMs: number;
      readonly reason: Parting['reason'];
      readonly stopTimer: () => void;
    }
  | Extract<ConnectionState, { state: 'closed' }>;
