export { forgetFactor } from './remove-totp.ts';
export { useFactorCode } from './use-factor-code.ts';
