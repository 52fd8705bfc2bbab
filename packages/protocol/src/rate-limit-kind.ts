/** One limit on what a client may do in a time frame. */
export interface RateLimitKind {
  /** The place that counts it; `nothing` for a limit that is only published. */
  readonly component: 'rest' | 'gateway' | 'files' | 'web' | 'nothing';
  /** Its section in `GET /rate_limits` and in the instance file. */
  readonly section: 'oprish' | 'pandemonium' | 'effis';
  /** Its keys in that section of `GET /rate_limits`: by default its name, and none if it is the whole section. */
  readonly keys?: readonly string[];
  /** The limit that counts requests with a token instead; by default this one, in windows of the user. */
  readonly withToken?: 'message_send';
  /** Requests with a token count for the address alone, like all others. */
  readonly isByAddress?: true;
  /** Servers of the documented interface may lack it. */
  readonly isOurs?: true;
  /** A description of what is counted, for the instance file and its documentation. */
  readonly counts: string;
  /** A description of what a request does, for the text of a ServerError. */
  readonly operation: string;
  /** With the field names of the wire; bytes are counted if there is a `file_size_limit`. */
  readonly defaults: {
    readonly reset_after: number;
    readonly limit: number;
    readonly file_size_limit?: number;
  };
  /** The number of requests that a client has in flight at a time: 1 keeps them in order. */
  readonly inFlight: number;
}
