import type { RegistrationMode } from '@hearth/protocol';
import type { Proofs } from '../proofs/proofs.ts';

/** What is open for registering while an instance runs. */
export interface RegistrationContext {
  /** Who may register. */
  readonly registration: RegistrationMode;
  /** The proofs of work that people need to register. */
  readonly proofs: Proofs;
}
