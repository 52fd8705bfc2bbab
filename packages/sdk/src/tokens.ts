/**
 * The storage in which a client keeps the token of the person who is signed in. Either function may answer at once or
 * later.
 */
export interface TokenStorage {
  /**
   * Returns the token to send, or undefined if nobody is signed in. It is called before each request to the REST and the
   * file service. `refused` is a token that the instance has just refused: if another one is returned, such as one that
   * another tab has stored, the request is sent once more.
   */
  read(refused?: string): string | undefined | Promise<string | undefined>;
  /** Keeps `token` for later calls of `read`, or forgets the one that it has. */
  write(token: string | undefined): void | Promise<void>;
}

/** A storage that answers at once. */
export interface MemoryTokens extends TokenStorage {
  read(): string | undefined;
}

/** A storage that lasts as long as the program. `token` is its first token. */
export function memoryTokens(token?: string): MemoryTokens {
  let kept = token;
  return {
    read: () => kept,
    write(given) {
      kept = given;
    },
  };
}
