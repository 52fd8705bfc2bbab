// Reads what `bun test` printed: which tests failed, in which files, and what they said.

const FILE = /^(\S.*\.test\.tsx?):$/;
// What a test printed without a line's end may stand before its result.
const RESULT = /^(?:.*\S)??\((pass|fail)\) (.*?)(?: \[[\d.]+ ?m?s\])?$/;
const BETWEEN_TESTS = '# Unhandled error between tests';
const BETWEEN_TESTS_RULE = /^-{20,}$/;
// Where there were many tests, the runner names the failed ones once more.
const ALL_AGAIN = /^\d+ tests? failed:$/;
const FAILURE_NOTE = /^ {2}\^ /;

/**
 * Gives `files`, a map from a file's name to the number of its passed tests and to its failures (a title, and the lines
 * printed since the last result), and `totals`, as the runner counted them, or undefined where it did not come to its end.
 */
export function readTestLog(text) {
  const files = new Map();
  let file = { passed: 0, failures: [] };
  let lines = [];
  let rules = 0;
  const fail = (title) => {
    file.failures.push({ title, lines });
    lines = [];
  };
  for (const line of text.split('\n')) {
    if (ALL_AGAIN.test(line)) break;
    const name = FILE.exec(line)?.[1];
    const [, result, title] = (name === undefined && RESULT.exec(line)) || [];
    if (name !== undefined) {
      file = files.get(name) ?? { passed: 0, failures: [] };
      files.set(name, file);
      lines = [];
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
      if (rules === 0) fail('an error between tests');
    } else {
      lines.push(line);
    }
  }
  return { files, totals: totalsOf(text) };
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
