export {
  forNobody,
  fromAddress,
  fromElsewhere,
  fromKnownNetwork,
  ofSession,
  ofTakenAddresses,
  type Allowance,
} from './allowances.ts';
export { GuessLimits, type KeepsGuesses, type Outcome } from './guess-limits.ts';
export { isWelcome, welcomeNetwork } from './known-network.ts';
