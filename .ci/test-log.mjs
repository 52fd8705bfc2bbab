// Reads the output of `bun test`: which tests failed, in which files, and what they printed. Files that run in parallel are
// printed in turns, each turn under the file's name. (The JUnit report lacks files that cannot be loaded.)

const FILE = /^(\S.*\.test\.tsx?):$/;
// If a test prints text without a line break, that text comes before the result on the same line.
const RESULT = /^(?:.*\S)??\((pass|fail)\) (.*?)(?: \[[\d.]+ ?m?s\])?$/;
// Printed if a process of the parallel runner ends in the middle of a file.
const CRASH = /^✗ (\S.*\.test\.tsx?) \((.*)\)$/;
const BETWEEN_TESTS = '# Unhandled error between tests';
const BETWEEN_TESTS_RULE = /^-{20,}$/;
// If files run in parallel, such an error may be printed under the name of another file.
const PARALLEL = /^bun test .* \d+x PARALLEL$/m;
// After many tests, the runner lists the failed ones again.
const ALL_AGAIN = /^\d+ tests? failed:$/;
const FAILURE_NOTE = /^ {2}\^ /;

/**
 * Returns `failures` (the file, the title, and the lines printed since the last result), the name of the last file, how many
 * tests passed as far as the output shows, and `totals`, the counts of the runner, or undefined if it did not finish.
 */
export function readTestLog(text) {
  const failures = [];
  const isParallel = PARALLEL.test(text);
  let file = 'no file that is known';
  let lines = [];
  let rules = 0;
  let passed = 0;
  const begin = (name) => {
    file = name;
    lines = [];
  };
  const fail = (title, place = file) => {
    failures.push({ file: place, title, lines });
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
      if (file !== crashed) begin(crashed);
      fail(reason);
    } else if (result === 'pass') {
      passed += 1;
      lines = [];
    } else if (result === 'fail') {
      lines.push(line);
      fail(title);
    } else if (FAILURE_NOTE.test(line) && lines.length === 0) {
      failures.at(-1)?.lines.push(line);
    } else if (line === BETWEEN_TESTS) {
      rules = 2;
    } else if (rules > 0 && BETWEEN_TESTS_RULE.test(line)) {
      rules -= 1;
      if (rules === 0) fail('an error between tests', isParallel ? 'some file' : file);
    } else {
      lines.push(line);
    }
  }
  return { failures, lastFile: file, passed, totals: totalsOf(text) };
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
