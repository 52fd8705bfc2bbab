import type { ChannelAccess } from '../../communities/structure/structure.ts';

/** A channel, or the membership of somebody, has changed since it was read, and with it perhaps who sees what. */
export class Outdated extends Error {
  /** What somebody may do there now. */
  readonly access: ChannelAccess;

  constructor(access: ChannelAccess) {
    super('the channel or the member has changed');
    this.access = access;
  }
}
