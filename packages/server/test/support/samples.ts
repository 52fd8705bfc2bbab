/** A request for an operation: the values of its path's parameters, and the rest. */
export interface Sample {
  readonly path?: Readonly<Record<string, string>>;
  readonly query?: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string | Buffer<ArrayBuffer>;
  /** Which session of a registered person sends it. */
  readonly by?: SessionName;
}

/**
 * Sessions of registered people: Ada's first one, one of hers that is there to be ended, Bob's, whose address is verified,
 * Gil's, who has a second factor and is a member of as many communities as possible, and Kim's.
 */
export type SessionName = 'ada' | 'spare' | 'bob' | 'gil' | 'kim';
