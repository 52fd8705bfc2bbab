// Runs as a classic script before all modules of the page. A module could not be sure to: one that the bundler puts into a
// part of its own runs before the entry that imports it.
import './polyfills.ts';
import './without-eval.ts';
