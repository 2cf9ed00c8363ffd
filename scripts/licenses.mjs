import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { ROOT, ReadableFailure } from './lib/commands.mjs';
import { runScript } from './setup.mjs';

/*
 * Writes docs/third-party-licenses.md: what the image and the web client ship with. `--check` fails where it differs.
 * Only licences that allow the work to be distributed under Apache-2.0 are accepted.
 */

const PAGE = join(ROOT, 'docs/third-party-licenses.md');
const ACCEPTED = new Set([
  '0BSD',
  'Apache-2.0',
  'BSD-2-Clause',
  'BSD-3-Clause',
  'BlueOak-1.0.0',
  'CC0-1.0',
  'ISC',
  'MIT',
  'MIT-0',
  // Covers the files of a package, which are shipped as they are (ADR 108).
  'MPL-2.0',
  'Python-2.0',
  'Unlicense',
]);
/** Packages whose package.json does not say it in SPDX, with what their licence file says. */
const SAID_ELSEWHERE = { pause: 'MIT', 'url-template': 'BSD-3-Clause' };

/** The SPDX expression of a package. */
function licenseOf(path, name) {
  const { license, licenses } = JSON.parse(readFileSync(join(ROOT, path, 'package.json'), 'utf8'));
  const said =
    typeof license === 'string' ? license : (license?.type ?? licenses?.map(({ type }) => type).join(' OR '));
  return SAID_ELSEWHERE[name] ?? said ?? 'unknown';
}

/** Whether one of the alternatives of an expression is accepted. */
const isAccepted = (expression) =>
  expression
    .replace(/[()]/g, '')
    .split(' OR ')
    .some((alternative) => alternative.split(' AND ').every((license) => ACCEPTED.has(license)));

function shippedPackages() {
  const { packages } = JSON.parse(readFileSync(join(ROOT, 'package-lock.json'), 'utf8'));
  const shipped = new Map();
  for (const [path, { version, dev, optional, link }] of Object.entries(packages)) {
    if (!path.includes('node_modules/') || dev || optional || link) continue;
    const name = path.slice(path.lastIndexOf('node_modules/') + 'node_modules/'.length);
    shipped.set(`${name} ${version}`, { name, version, license: licenseOf(path, name) });
  }
  return [...shipped.values()].sort((one, other) =>
    one.name < other.name ? -1 : one.name > other.name ? 1 : 0,
  );
}

function pageOf(shipped) {
  const rows = shipped.map(({ name, version, license }) => [name, version, license]);
  const widths = [0, 1, 2].map((column) =>
    Math.max(...[['package', 'version', 'licence'], ...rows].map((row) => row[column].length)),
  );
  const line = (row) => `| ${row.map((cell, column) => cell.padEnd(widths[column])).join(' | ')} |`;
  return `# Third-party licences

The image and the web client ship with these packages (\`npm run licenses\` writes this page). The licence's text is in each package's
folder of \`node_modules\`.

${line(['package', 'version', 'licence'])}
| ${widths.map((width) => '-'.repeat(width)).join(' | ')} |
${rows.map(line).join('\n')}
`;
}

await runScript(() => {
  const shipped = shippedPackages();
  const refused = shipped.filter(({ license }) => !isAccepted(license));
  if (refused.length > 0)
    throw new ReadableFailure(
      `These licences are not accepted: ${refused.map(({ name, license }) => `${name} (${license})`).join(', ')}`,
    );
  const page = pageOf(shipped);
  if (!process.argv.includes('--check')) return writeFileSync(PAGE, page);
  if (readFileSync(PAGE, 'utf8') !== page)
    throw new ReadableFailure('docs/third-party-licenses.md is out of date: run npm run licenses.');
});
