import type { ErrorEnvelope } from '@hearth/protocol';
import { errorEnvelopeSchema } from '@hearth/protocol/schemas';
import { expect } from 'bun:test';

/** Returns the envelope of an error, after checking what all errors have: only the envelope, as JSON, with CORS. */
export async function readError(answer: Response): Promise<ErrorEnvelope> {
  expect(answer.headers.get('content-type')).toBe('application/json');
  expect(answer.headers.get('access-control-allow-origin')).toBe('*');
  const envelope = errorEnvelopeSchema.strict().parse(await answer.json());
  expect(envelope.status).toBe(answer.status);
  return envelope;
}

/** The data of a ValidationError. Fails for every other answer. */
export async function readValidationError(
  answer: Response,
): Promise<{ field: unknown; error: unknown }> {
  const { status, data } = await readError(answer);
  expect(status).toBe(422);
  expect(Object.keys(data ?? {}).toSorted()).toEqual(['error', 'field_name']);
  return { field: data?.['field_name'], error: data?.['error'] };
}
