import type { Id, Joined } from '@hearth/protocol';
import type { Context } from '../../../context.ts';
import type { Reader, Transaction } from '../../../ports/database/database.ts';
import type { EmittingTransaction } from '../../../ports/outbox/outbox.ts';

/** An invite to a community, with which somebody registers and joins. */
export interface JoiningInvite {
  /** The community, which is locked while the invite is used. */
  readonly communityId: Id;
  /** The account that made it, and is locked as well. Empty if that account was deleted. */
  readonly createdBy: Id | '';
  /**
   * Uses it for an account that is added in the same transaction. Returns it as it is then; undefined if nobody can register
   * with it any more.
   */
  use(tx: Transaction): Promise<UsedJoiningInvite | undefined>;
}

/** One that was used in this transaction, for an account that was then added. */
export interface UsedJoiningInvite extends Pick<JoiningInvite, 'createdBy'> {
  /** Lets the account join at once. */
  join(tx: EmittingTransaction, userId: Id): Promise<Joined>;
  /** Lets it join when it is approved. */
  joinOnApproval(tx: Transaction, userId: Id): Promise<void>;
}

/** Invites to communities as registering uses them, by the feature that keeps them. */
export interface JoiningInvites {
  /** The invite with this code, if somebody can register with it. */
  find(
    ctx: Pick<Context, 'settings' | 'clock' | 'database'>,
    code: string,
  ): Promise<JoiningInvite | undefined>;
  /** The community that somebody joins when they are approved; undefined if there is none. */
  findAwaited(db: Reader, userId: Id): Promise<Id | undefined>;
  lockAwaited(tx: Transaction, userId: Id): Promise<void>;
  /** Lets somebody who was approved join it, if they still may. It is locked. */
  joinAwaited(tx: EmittingTransaction, ctx: Pick<Context, 'clock'>, userId: Id): Promise<void>;
  /** Gives back the use of the invite of somebody who was refused. */
  refuseAwaited(tx: Transaction, userId: Id): Promise<void>;
}

export interface HasJoiningInvites {
  readonly joiningInvites: JoiningInvites;
}
