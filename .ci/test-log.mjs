// Reads the output of `bun test`: which tests failed, in which files, and what they printed. Files that run in parallel are
// printed in turns, each turn under the file's name. (The JUnit report lacks files that cannot be loaded.)

import { relative } from 'node:path';

const FILE = /^(\S.*\.test\.tsx?):$/;
// If a test prints text without a line break, that text comes before the result on the same line.
const RESULT = /^(?:.*\S)??\((pass|fail)\) (.*?)(?: \[[\d.]+ ?m?s\])?$/;
// Printed if a process of the parallel runner ends in the middle of a file.
const CRASH = /^✗ (\S.*\.test\.tsx?) \((.*)\)$/;
const BETWEEN_TESTS = '# Unhandled error between tests';
const BETWEEN_TESTS_RULE = /^-{20,}$/;
// If files run in parallel, such an error may be printed under the name of another file.
const PARALLEL = /^bun test .* \d+x PARALLEL$/m;
const TEST_PATH = /\/[^\s'"():]+\.test\.tsx?/g;
// After many tests, the runner lists the failed ones again.
const ALL_AGAIN = /^\d+ tests? failed:$/;
const FAILURE_NOTE = /^ {2}\^ /;

/**
 * Returns `files`, a map from a file's name to the number of its passed tests and its failures (a title, and the lines
 * printed since the last result); `nobodys`, failures that cannot be assigned to a file; and `totals`, the counts of the
 * runner, or undefined if it did not finish.
 */
export function readTestLog(text) {
  const files = new Map();
  let file = { passed: 0, failures: [] };
  let lines = [];
  let rules = 0;
  const nobodys = [];
  const isParallel = PARALLEL.test(text);
  const entryOf = (name) => {
    if (!files.has(name)) files.set(name, { passed: 0, failures: [] });
    return files.get(name);
  };
  const begin = (name) => {
    file = entryOf(name);
    lines = [];
  };
  const failBetweenTests = () => {
    const failure = { title: 'an error between tests', lines };
    lines = [];
    if (!isParallel) return void file.failures.push(failure);
    const paths = failure.lines.join('\n').match(TEST_PATH) ?? [];
    const named = new Set(paths.map((path) => relative(process.cwd(), path)));
    for (const name of named) entryOf(name).failures.push(failure);
    if (named.size === 0) nobodys.push(failure);
  };
  const fail = (title) => {
    file.failures.push({ title, lines });
    lines = [];
  };
  for (const line of text.split('\n')) {
    if (ALL_AGAIN.test(line)) break;
    const name = FILE.exec(line)?.[1];
    const [, result, title] = (name === undefined && RESULT.exec(line)) || [];
    const [, crashed, reason] = CRASH.exec(line) ?? [];
    if (name !== undefined) {
      begin(name);
    } else if (crashed !== undefined) {
      if (file !== files.get(crashed)) begin(crashed);
      // The runner does not count the tests that passed there before.
      file.passed = 0;
      fail(reason);
    } else if (result === 'pass') {
      file.passed += 1;
      lines = [];
    } else if (result === 'fail') {
      lines.push(line);
      fail(title);
    } else if (FAILURE_NOTE.test(line) && lines.length === 0) {
      file.failures.at(-1)?.lines.push(line);
    } else if (line === BETWEEN_TESTS) {
      rules = 2;
    } else if (rules > 0 && BETWEEN_TESTS_RULE.test(line)) {
      rules -= 1;
      if (rules === 0) failBetweenTests();
    } else {
      lines.push(line);
    }
  }
  return { files, nobodys, totals: totalsOf(text) };
}

function totalsOf(text) {
  if (!/^Ran \d+ tests? across \d+ files?\./m.test(text)) return undefined;
  const count = (what) =>
    Number(
      text
        .match(new RegExp(`^ *(\\d+) ${what}s?$`, 'gm'))
        ?.at(-1)
        ?.match(/\d+/)[0] ?? 0,
    );
  return { passed: count('pass'), failed: count('fail'), skipped: count('skip') + count('todo') };
}
