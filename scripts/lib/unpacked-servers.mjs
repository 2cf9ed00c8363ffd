import { createHash } from 'node:crypto';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { ROOT, ReadableFailure, tail } from './commands.mjs';

/** Not in node_modules, which npm may install at the same time. `test/support/imap/unpacked-server.ts` starts them. */
const FOLDER = join(ROOT, '.mailroom', 'imap-servers');

/** Debian's packages of the servers that would take the place of Dovecot if they were installed. */
const SERVERS = [
  { name: 'cyrus', packages: ['cyrus-imapd', 'sasl2-bin'] },
  { name: 'courier', packages: ['courier-imap'] },
];

/**
 * Downloads packages with all that they depend on, as if nothing was installed, and unpacks them into a folder that a
 * process can be confined to. No maintainer script runs and dpkg's database stays as it is. setpriv, of util-linux, is
 * for ending with the tests. Left out is what only the scripts of the packages need.
 */
const UNPACK = `
set -eu
umask 022
folder=$1; stamp=$2; shift 2
rm -rf "$folder"
mkdir -p "$folder/debs" "$folder/archives/partial" "$folder/root/dev" "$folder/root/etc" "$folder/root/tmp"
cd "$folder/debs"
wanted() {
  apt-get -q -y -o Dir::State::status=/dev/null -o Dir::Cache::archives="$folder/archives" --no-install-recommends \\
      --print-uris install util-linux "$@" |
    sed -n "s/^'[^']*' \\([^ ]*\\) .*/\\1/p" |
    grep -Ev '^(adduser|cron|debconf|dpkg|e2fsprogs|exim4|gawk|gcc|libperl|perl|usrmerge)' |
    sed 's/%3a/:/; s/^\\([^_]*\\)_\\([^_]*\\)_.*/\\1=\\2/'
}
download() { names=$(wanted "$@") && apt-get -q download $names; }
download "$@" || { rm -f ./*.deb; apt-get update -q; download "$@"; }
for package in *.deb; do dpkg-deb -x "$package" "$folder/root"; done
cd "$folder/root"
rm -rf usr/share/doc usr/share/man usr/share/locale usr/share/info "$folder/debs" "$folder/archives"
# Where Courier finds it, it is started as a daemon that outlives everything.
[ ! -e usr/libexec/gam_server ] || mv usr/libexec/gam_server usr/libexec/gamin
mknod -m 666 dev/null c 1 3
mknod -m 666 dev/random c 1 8
mknod -m 666 dev/urandom c 1 9
printf %s "$stamp" > "$folder/stamp"
`;

const stampOf = (packages) =>
  createHash('sha256')
    .update(UNPACK + packages.join(' '))
    .digest('hex');

function isUnpacked({ name, packages }) {
  const file = join(FOLDER, name, 'stamp');
  return existsSync(file) && readFileSync(file, 'utf8') === stampOf(packages);
}

/**
 * Unpacks the IMAP servers that are missing.
 * @param runAsRoot runs a shell script with arguments, as root
 */
export async function ensureUnpackedServers(say, runAsRoot) {
  for (const server of SERVERS) {
    if (isUnpacked(server)) continue;
    const { name, packages } = server;
    say(`Unpacking ${packages.join(' and ')} for the tests`);
    const { ok, output } = await runAsRoot(UNPACK, [join(FOLDER, name), stampOf(packages), ...packages]);
    if (!ok)
      throw new ReadableFailure(
        `${packages.join(' and ')} could not be downloaded and unpacked; check the network and the package lists of ` +
          `apt-get, then try again.\n${tail(output)}`,
      );
  }
}
