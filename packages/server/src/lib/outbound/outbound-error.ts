/** Why a request to an address that somebody named failed. */
export type OutboundFailure =
  /** The address is none that may be requested: of another protocol, not public, or with credentials. */
  | 'refused'
  /** The name has no address, or nothing answers there as it should. */
  | 'unreachable'
  | 'timeout'
  | 'too_large'
  | 'too_many_redirects';

/** A request to an address that somebody named failed. The message names no address that the name resolved to. */
export class OutboundError extends Error {
  override readonly name = 'OutboundError';
  readonly reason: OutboundFailure;

  constructor(reason: OutboundFailure, message: string, options?: ErrorOptions) {
    super(message, options);
    this.reason = reason;
  }
}
