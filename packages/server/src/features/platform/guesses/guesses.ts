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
  type KeepsGuesses,
  type Outcome,
  isWelcome,
  welcomeNetwork,
} from './guess-limits.ts';
