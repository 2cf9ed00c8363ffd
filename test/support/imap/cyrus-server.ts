import { freePort } from '../service-process';
import { waitFor } from '../wait';
import { greets, ImapTestServer } from './imap-test-server';
import { testCertificate } from './test-certificate';
import { UnpackedServer } from './unpacked-server';

const START_MS = 30_000;
const PROGRAMS = '/usr/lib/cyrus/bin';

/** The naming of folders in Cyrus: `INBOX.Work`, its default, or `Work`. */
export type CyrusNamespace = 'internal' | 'alternative';

/** Cyrus IMAP of the Debian package, apart from the system. */
export class CyrusServer extends ImapTestServer {
  readonly user = 'alice';
  readonly pass = 'imap-pass-7f3a';

  private constructor(
    private readonly unpacked: UnpackedServer,
    readonly port: number,
    readonly tlsPort: number,
  ) {
    super();
  }

  static async start(namespace: CyrusNamespace = 'internal'): Promise<CyrusServer> {
    const server = new CyrusServer(UnpackedServer.create('cyrus'), await freePort(), await freePort());
    try {
      server.configure(namespace);
      await server.run();
      return server;
    } catch (error) {
      await server.stop();
      throw error;
    }
  }

  get certificatePath(): string {
    return this.unpacked.path('srv/certificate.pem');
  }

  async run(): Promise<void> {
    const files = ['-C', '/srv/imapd.conf', '-M', '/srv/cyrus.conf', '-p', '/srv/master.pid'];
    this.unpacked.spawn(`${PROGRAMS}/master`, files);
    // It listens on all of its ports before it starts a service.
    await waitFor('Cyrus to greet', () => greets(this.port), START_MS);
  }

  halt(): Promise<void> {
    return this.unpacked.halt();
  }

  stop(): Promise<void> {
    return this.unpacked.remove();
  }

  private configure(namespace: CyrusNamespace): void {
    const { unpacked, port, tlsPort } = this;
    const { key, cert } = testCertificate();
    unpacked.write('srv/key.pem', key);
    unpacked.write('srv/certificate.pem', cert);
    for (const name of ['proc', 'socket', 'db', 'log', 'lock', 'msg', 'user', 'quota'])
      unpacked.directory(`srv/lib/${name}`);
    unpacked.directory('srv/lib');
    unpacked.directory('srv/spool');
    const isAlternative = namespace === 'alternative' ? 'yes' : 'no';
    unpacked.write(
      'srv/imapd.conf',
      `configdirectory: /srv/lib
partition-default: /srv/spool
defaultpartition: default
proc_path: /srv/lib/proc
mboxname_lockpath: /srv/lib/lock
cyrus_user: nobody
cyrus_group: nogroup
allowplaintext: yes
sasl_pwcheck_method: auxprop
sasl_auxprop_plugin: sasldb
sasl_sasldb_path: /srv/sasldb2
sasl_mech_list: PLAIN LOGIN
altnamespace: ${isAlternative}
unixhierarchysep: ${isAlternative}
virtdomains: off
servername: localhost
tls_server_cert: /srv/certificate.pem
tls_server_key: /srv/key.pem
autocreate_quota: 0
maxlogins_per_user: 100
`,
    );
    unpacked.write(
      'srv/cyrus.conf',
      `START {
  recover cmd="${PROGRAMS}/ctl_cyrusdb -C /srv/imapd.conf -r"
}
SERVICES {
  imap cmd="${PROGRAMS}/imapd -C /srv/imapd.conf" listen="127.0.0.1:${port}" prefork=0 maxchild=100
  imaps cmd="${PROGRAMS}/imapd -C /srv/imapd.conf -s" listen="127.0.0.1:${tlsPort}" prefork=0 maxchild=100
}
EVENTS {
}
`,
    );
    unpacked.exec(
      '/usr/sbin/saslpasswd2',
      ['-p', '-c', '-f', '/srv/sasldb2', '-u', 'localhost', this.user],
      this.pass,
    );
  }
}
