import { Secret, TOTP } from 'otpauth';
import { latestMoment } from '../../../lib/stored-moment.ts';

const PERIOD_S = 30;

/** A code is accepted a step before and after its time, because clocks differ. */
const STEPS_AROUND = 1;

/** A new secret, in base 32. */
export function newTotpSecret(): string {
  return new Secret({ size: 20 }).base32;
}

/** The address from which an app learns a secret, which names the instance and the account. */
export function totpUri(
  secret: string,
  { instanceName, username }: { readonly instanceName: string; readonly username: string },
): string {
  // A colon would end the name of the issuer.
  const issuer = instanceName.replaceAll(':', ' ');
  return totpOf(secret, { issuer, label: username }).toString();
}

/** The time step whose code this is, near this time; undefined if it is none. */
export function totpStep(secret: string, code: string, nowMs: number): number | undefined {
  const totp = totpOf(secret, {});
  const delta = totp.validate({ token: code, timestamp: nowMs, window: STEPS_AROUND });
  return delta === null ? undefined : Math.floor(nowMs / 1_000 / PERIOD_S) + delta;
}

/** The last time step whose code any process can accept now. */
export function latestTotpStep(nowMs: number): number {
  return Math.floor(latestMoment(nowMs) / 1_000 / PERIOD_S) + STEPS_AROUND;
}

/** The code of a time, as an app shows it. For tests. */
export function totpCode(secret: string, nowMs: number): string {
  return totpOf(secret, {}).generate({ timestamp: nowMs });
}

// SHA-1, six digits and 30 s are what every app knows.
function totpOf(
  secret: string,
  names: { readonly issuer?: string; readonly label?: string },
): TOTP {
  const rule = { algorithm: 'SHA1', digits: 6, period: PERIOD_S };
  return new TOTP({ ...names, ...rule, secret: Secret.fromBase32(secret) });
}
