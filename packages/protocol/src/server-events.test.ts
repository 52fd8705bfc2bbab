import { expect, test } from 'bun:test';
import { profileEventSchema } from './server-events.ts';

const CHANGE = /^([A-Z_]+)_(CREATE|UPDATE|DELETE|ADD|REMOVE)$/;

/** The events that have a position in a stream, and so may be sent again to a client that resumes. */
const STREAM_EVENTS = profileEventSchema.options.flatMap(({ shape }) =>
  's' in shape ? [{ op: shape.op.value, fields: Object.keys(shape.d.shape) }] : [],
);

const changes = STREAM_EVENTS.map(({ op, fields }) => {
  const [, noun = '', verb = ''] = CHANGE.exec(op) ?? [];
  return { op, fields, noun, verb };
});

// The gateway finds out from these names which events a removal takes out of the replay (LB24).
test('[LB24] the op of every event of a stream is a noun with _CREATE, _UPDATE, _DELETE, _ADD or _REMOVE', () => {
  expect(changes.length).toBeGreaterThan(2);
  expect(changes.filter(({ noun }) => noun === '').map(({ op }) => op)).toEqual([]);
});

test('[LB24] every event of a noun that can be removed has its id, so that the gateway finds what a removal removes', () => {
  const removable = changes.flatMap(({ noun, verb }) => (verb === 'DELETE' ? [noun] : []));
  expect(removable).toContain('MESSAGE');
  const withoutId = changes.filter(
    ({ noun, fields }) => removable.includes(noun) && !fields.includes('id'),
  );
  expect(withoutId.map(({ op }) => op)).toEqual([]);
});
