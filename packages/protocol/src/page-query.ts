import { z } from 'zod';
import { pageLimitSchema } from './page-limit.ts';
import { anyText } from './text.ts';

/** More characters than the place in any list takes. */
const MOST_CURSOR_CHARACTERS = 2_048;

/** The query of a list that is not ordered by ids. The cursor is that of the link to the next page. Ours. */
export const pageQuerySchema = z.object({
  cursor: anyText(MOST_CURSOR_CHARACTERS).optional(),
  limit: pageLimitSchema(),
});
