import type { Surroundings } from '../command.ts';

const PROGRAMS = ['iTerm.app', 'WezTerm', 'vscode', 'ghostty', 'Hyper', 'rio', 'zed'];
const TERMINALS = /^(?:xterm-kitty|xterm-ghostty|alacritty|foot)/;
const MARKS = ['KITTY_WINDOW_ID', 'WT_SESSION', 'KONSOLE_VERSION', 'DOMTERM'];

/** The first version of the library of GNOME's terminals that has links. */
const FIRST_VTE = 5000;

/**
 * Returns whether a terminal links texts to addresses, as far as its environment shows. `FORCE_HYPERLINK` decides if it
 * is set. Multiplexers may remove the links, so they get none.
 */
export function canLink(env: Surroundings['env']): boolean {
  const { FORCE_HYPERLINK: forced = '', TERM: term = '', TERM_PROGRAM: program = '' } = env;
  if (forced !== '') return forced !== '0';
  if (env['TMUX'] !== undefined || /^(?:screen|tmux|dumb)/.test(term)) return false;
  return (
    PROGRAMS.includes(program) ||
    TERMINALS.test(term) ||
    MARKS.some((name) => env[name] !== undefined) ||
    Number(env['VTE_VERSION']) >= FIRST_VTE
  );
}
