import { ProtocolError } from '@hearth/protocol';
import { failureOf } from './failure-of.ts';

/** The permission, the code or the field that an error names; the error itself if it names none, and undefined if there is none. */
export async function reasonOf(failing: Promise<unknown>): Promise<unknown> {
  const error = await failureOf(failing);
  if (!(error instanceof ProtocolError)) return error;
  const { permission, code, field_name: field } = error.data ?? {};
  return permission ?? code ?? field ?? error;
}
