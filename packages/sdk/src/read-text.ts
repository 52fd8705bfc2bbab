import type { Guard } from './guard.ts';

/** The text of `response`, up to `mostBytes`; the rest is ignored. */
export async function readText(
  response: Response,
  guard: Guard,
  mostBytes: number,
): Promise<string> {
  const reader = response.body?.getReader();
  if (reader === undefined) return '';
  const decoder = new TextDecoder();
  let text = '';
  let size = 0;
  try {
    for (;;) {
      const { done, value } = await guard.race(reader.read());
      if (done) return text + decoder.decode();
      const taken = value.subarray(0, mostBytes - size);
      text += decoder.decode(taken, { stream: true });
      size += taken.byteLength;
      if (size >= mostBytes) return text + decoder.decode();
    }
  } finally {
    // Has no effect on a body that was read to its end.
    reader.cancel().catch(() => undefined);
  }
}
