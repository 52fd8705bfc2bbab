/** A video or audio element. */
export type Player = Pick<HTMLMediaElement, 'pause'>;

/** Lets one player play at a time. */
export class OnePlayer {
  #current: Player | undefined;

  /** Pauses the player that played before. */
  begin(player: Player): void {
    if (this.#current !== player) this.#current?.pause();
    this.#current = player;
  }

  /** Forgets a player that leaves the page. */
  leave(player: Player): void {
    if (this.#current === player) this.#current = undefined;
  }
}
