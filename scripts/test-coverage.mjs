import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { ROOT, ReadableFailure } from './lib/commands.mjs';
import { runScript } from './setup.mjs';

/**
 * Counts what the medium and end-to-end tests have come by, from the notes of `test/support/coverage.ts` in the folder that
 * TEST_COVERAGE names: routes by callers and outcomes, kinds of jobs by ends and kills, faults of the provider. Fails
 * when a route or a kind of job lacks what every one has to be tested for.
 */

/** Every operation of the document as Express names its route, and what it has to be tested for. */
function operations() {
  const { paths } = JSON.parse(readFileSync(join(ROOT, 'openapi.json'), 'utf8'));
  return Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods)
      .filter(([, operation]) => operation.responses)
      .map(([method, { security, responses, parameters = [], requestBody }]) => ({
        route: `${method.toUpperCase()} ${path.replace(/\{(\w+)\}/g, ':$1')}`,
        needsToken: security === undefined || security.length > 0,
        statuses: Object.keys(responses).map(Number),
        takesInput: parameters.length > 0 || requestBody !== undefined,
      })),
  );
}

function readNotes(folder) {
  if (!folder || !existsSync(folder))
    throw new ReadableFailure('TEST_COVERAGE has to name the folder that the tests have written to.');
  const lines = readdirSync(folder).flatMap((name) => readFileSync(join(folder, name), 'utf8').split('\n'));
  return [...new Set(lines.filter(Boolean))].map((line) => JSON.parse(line));
}

const isSuccess = (status) => status < 400;

function missingOf({ route, needsToken, statuses }, notes) {
  const answers = notes
    .filter(([, name]) => name === route)
    .map(([, , caller, status]) => ({ caller, status }));
  const has = (...wanted) => answers.some(({ status }) => wanted.includes(status));
  const missing = [];
  if (!answers.some(({ status }) => isSuccess(status))) missing.push('success');
  if (needsToken && !has(401)) missing.push('401');
  if (needsToken && statuses.some((status) => status === 403 || status === 404) && !has(403, 404))
    missing.push('403 or 404');
  return missing;
}

await runScript(async () => {
  const notes = readNotes(process.env.TEST_COVERAGE);
  const notesOf = (kind) => notes.filter(([name]) => name === kind);
  const known = operations();
  const names = new Set(known.map(({ route }) => route));
  const requests = notesOf('route').filter(([, route]) => names.has(route));
  const jobs = notesOf('job').filter(([, kind]) => !kind.startsWith('test_'));
  const distinct = (rows, ...columns) =>
    new Set(rows.map((row) => columns.map((at) => row[at]).join('|'))).size;

  console.log(`routes: ${distinct(requests, 1)} of ${known.length}`);
  console.log(`routes x callers: ${distinct(requests, 1, 2)}`);
  console.log(`routes x callers x answers: ${requests.length}`);
  console.log(`kinds of jobs: ${distinct(jobs, 1)}`);
  console.log(`kinds x ends: ${distinct(jobs, 1, 2)}`);
  console.log(
    `kinds that were killed and completed: ${distinct(
      jobs.filter(([, , end, how]) => end === 'completed' && how === 'process lost'),
      1,
    )}`,
  );
  console.log(`kinds x ends x kills: ${jobs.length}`);
  console.log(`faults of the provider, endpoints x answers: ${notesOf('fault').length}`);

  const unread = known.filter(
    ({ route, statuses, takesInput }) =>
      takesInput &&
      statuses.includes(400) &&
      !requests.some(([, name, , status]) => name === route && [400, 413, 415, 416, 422].includes(status)),
  );
  // Some answer bad input with a redirect that says so.
  console.log(
    `routes without a refusal of bad input: ${unread.map(({ route }) => route).join(', ') || 'none'}`,
  );

  const gaps = known.flatMap((operation) => {
    const missing = missingOf(operation, requests);
    return missing.length > 0 ? [`${operation.route}: ${missing.join(', ')}`] : [];
  });
  const survivors = [...new Set(jobs.map(([, kind]) => kind))].filter(
    (kind) =>
      !jobs.some(([, name, end, how]) => name === kind && end === 'completed' && how === 'process lost'),
  );
  gaps.push(...survivors.map((kind) => `${kind}: not killed and completed`));
  if (gaps.length > 0) {
    console.log(`\nNot tested:\n${gaps.join('\n')}`);
    process.exitCode = 1;
  }
});
