import { errorCode } from '@hearth/server';

/** Writes text to a file descriptor of the process. */
export interface Output {
  readonly write: (text: string) => void;
  /** The error that ended the writing. A reader that goes away (`| head`) is not an error. */
  readonly failure: () => Error | undefined;
}

/** Creates an output that writes with `writeText`, which throws the system's error. */
export function outputTo(writeText: (text: string) => void): Output {
  let failure: Error | undefined;
  return {
    write(text) {
      try {
        writeText(text);
      } catch (error) {
        if (errorCode(error) !== 'EPIPE') failure ??= error instanceof Error ? error : undefined;
      }
    },
    failure: () => failure,
  };
}
