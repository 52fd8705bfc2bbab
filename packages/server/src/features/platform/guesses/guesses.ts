export {
  forNobody,
  fromAddress,
  fromElsewhere,
  fromKnownNetwork,
  ofSession,
  ofTakenAddresses,
  type Allowance,
} from './allowances.ts';
export {
  GuessLimits,
  isWelcome,
  welcomeNetwork,
  type KeepsGuesses,
  type Outcome,
} from './guess-limits.ts';
