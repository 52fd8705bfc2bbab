/** How much of a code the audit log shows: who reads the log may not be one who may invite others. */
const SHOWN_CHARACTERS = 4;

/** The beginning of a code, by which an invite is recognised but not used. */
export function recordedCode(code: string): string {
  return `${code.slice(0, SHOWN_CHARACTERS)}…`;
}
