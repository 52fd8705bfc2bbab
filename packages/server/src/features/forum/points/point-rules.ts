import type { PointRules } from '@hearth/protocol';
import { DAY_MS } from '../../../lib/clock.ts';

/** By which rules points are earned. There are no others. */
export const POINT_RULES: PointRules = {
  vote: 1,
  voter_age_ms: DAY_MS,
  pair_factor: 0.5,
  pair_ms: 30 * DAY_MS,
  accepted_answer: 5,
};
