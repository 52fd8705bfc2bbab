import { errorCode } from '@hearth/server';

/** Text to a descriptor of the process. */
export interface Output {
  readonly write: (text: string) => void;
  /** What went wrong with the writing. A reader that went away (`| head`) is nothing wrong. */
  readonly failure: () => Error | undefined;
}

/** An output through `writeText`, which throws the system's error. */
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
