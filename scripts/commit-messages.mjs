import { ReadableFailure, run } from './lib/commands.mjs';
import { runScript } from './setup.mjs';

/* `node scripts/commit-messages.mjs BASE`: the messages of the commits since BASE follow Conventional Commits. */

const TYPES = 'build|chore|ci|docs|feat|fix|perf|refactor|revert|style|test|bench';
const SUBJECT = new RegExp(`^(${TYPES})(\\([a-z0-9-]+\\))?!?: \\S.*[^.\\s]$`);
const LONGEST_SUBJECT = 100;

/** The fault of a subject, or null. */
function faultOf(subject) {
  if (!SUBJECT.test(subject)) return `does not read like "feat(archive): …" (${TYPES.replaceAll('|', ', ')})`;
  if (subject.length > LONGEST_SUBJECT) return `is longer than ${LONGEST_SUBJECT} characters`;
  return null;
}

await runScript(async () => {
  const [base] = process.argv.slice(2);
  if (!base) throw new ReadableFailure('Say since when: node scripts/commit-messages.mjs origin/main');
  const range = ['log', '--no-merges', '--format=%h %s', `${base}..HEAD`, '--'];
  const { ok, output } = await run('git', range, { capture: true });
  if (!ok) throw new ReadableFailure(`git knows no commits since ${base}: ${output}`);
  const commits = output.split('\n').filter(Boolean);
  const faults = commits.flatMap((line) => {
    const fault = faultOf(line.slice(line.indexOf(' ') + 1));
    return fault === null ? [] : [`${line}\n  ${fault}`];
  });
  if (faults.length > 0) throw new ReadableFailure(faults.join('\n'));
  console.log(`Commits since ${base}, all with a good message: ${commits.length}`);
});
