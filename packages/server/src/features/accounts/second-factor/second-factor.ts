export { forgetFactor } from './forget-factor.ts';
export { useFactorCode } from './use-factor-code.ts';
