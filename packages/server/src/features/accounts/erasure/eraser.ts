import type { Id } from '@hearth/protocol';
import type { Context } from '../../../context.ts';

/** What deleting an account does with what its person wrote: it stays without their name, or it goes. */
export type ErasedContent = 'keep' | 'erase';

/** What of a deleted account is erased. */
export interface ErasedAccount {
  readonly userId: Id;
  readonly content: ErasedContent;
  readonly signal: AbortSignal;
}

/** Erases what a feature has of a deleted account. It may have been interrupted before, so it allows for being repeated. */
export type EraseContent<Ctx = Context> = (ctx: Ctx, account: ErasedAccount) => Promise<void>;
