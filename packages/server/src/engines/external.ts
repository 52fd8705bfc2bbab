import type { EngineParts, Engines, OwnerPurpose } from './engines.ts';
export async function openExternal(_parts: EngineParts): Promise<Engines> {
  throw new Error('not yet');
}
export async function openExternalForOwner(
  _parts: EngineParts,
  _purpose: OwnerPurpose,
): Promise<Engines> {
  throw new Error('not yet');
}
