import { execFileSync } from 'node:child_process';
import { freePort } from '../service-process';
import { waitFor } from '../wait';
import { accepts, greets, ImapTestServer } from './imap-test-server';
import { testCertificate } from './test-certificate';
import { UnpackedServer } from './unpacked-server';

const START_MS = 30_000;
const AUTHLIB = '/usr/lib/courier/courier-authlib';
const CAPABILITY =
  'IMAP4rev1 UIDPLUS CHILDREN NAMESPACE THREAD=ORDEREDSUBJECT THREAD=REFERENCES SORT QUOTA IDLE';
const CERTIFICATE = '/srv/both.pem';
/** The defaults of /etc/courier/imapd and imapd-ssl. */
const SETTINGS = {
  IMAP_CAPABILITY: CAPABILITY,
  IMAP_CAPABILITY_TLS: `${CAPABILITY} AUTH=PLAIN`,
  IMAP_KEYWORDS: '1',
  IMAP_ACL: '1',
  IMAP_USELOCKS: '1',
  IMAP_MAILBOX_SANITY_CHECK: '1',
  IMAP_IDLE_TIMEOUT: '60',
  IMAP_CHECK_ALL_FOLDERS: '0',
  IMAP_DISABLETHREADSORT: '0',
  IMAP_OBSOLETE_CLIENT: '0',
  IMAP_ENHANCEDIDLE: '0',
  IMAP_TRASHFOLDERNAME: 'Trash',
  IMAP_EMPTYTRASH: 'Trash:7',
  IMAP_MOVE_EXPUNGE_TO_TRASH: '0',
  IMAP_TLS_REQUIRED: '0',
  IMAP_STARTTLS: 'YES',
  COURIERTLS: '/usr/bin/couriertls',
  TLS_CERTFILE: CERTIFICATE,
  TLS_VERIFYPEER: 'NONE',
  MAILDIRPATH: 'Maildir',
};

export interface CourierOptions {
  /** IMAP_MOVE_EXPUNGE_TO_TRASH: what is expunged from any other folder is put into the trash. */
  readonly expungesToTrash?: boolean;
}

/** Courier IMAP of the Debian package, apart from the system. */
export class CourierServer extends ImapTestServer {
  readonly user = this.email;
  readonly pass = 'imap-pass-7f3a';

  private constructor(
    private readonly unpacked: UnpackedServer,
    readonly port: number,
    readonly tlsPort: number,
    private readonly expungesToTrash: boolean,
  ) {
    super();
  }

  static async start({ expungesToTrash = false }: CourierOptions = {}): Promise<CourierServer> {
    const unpacked = UnpackedServer.create('courier');
    const server = new CourierServer(unpacked, await freePort(), await freePort(), expungesToTrash);
    try {
      server.configure();
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
    const gamin = { GAM_CLIENT_ID: `courier-${this.port}` };
    const env = { ...SETTINGS, ...gamin, IMAP_MOVE_EXPUNGE_TO_TRASH: this.expungesToTrash ? '1' : '0' };
    const login = ['/usr/lib/courier/courier/imaplogin', '/usr/bin/imapd', 'Maildir'];
    const tls = ['/usr/bin/couriertls', '-server', '-tcpd'];
    this.unpacked.spawn(`${AUTHLIB}/authdaemond`, []);
    // It tells of changes to folders while clients idle.
    this.unpacked.spawn('/usr/libexec/gamin', ['--notimeout', env.GAM_CLIENT_ID]);
    this.listen(this.port, login, env);
    this.listen(this.tlsPort, [...tls, ...login], { ...env, IMAP_TLS: '1' });
    await waitFor('Courier to greet', () => greets(this.port), START_MS);
    await waitFor('Courier to listen for TLS', () => accepts(this.tlsPort), START_MS);
  }

  halt(): Promise<void> {
    return this.unpacked.halt();
  }

  stop(): Promise<void> {
    return this.unpacked.remove();
  }

  private listen(port: number, command: readonly string[], env: Readonly<Record<string, string>>): void {
    const limits = ['-maxprocs=100', '-maxperip=100', '-nodnslookup', '-noidentlookup'];
    const args = ['-address=127.0.0.1', ...limits, String(port), ...command];
    this.unpacked.spawn('/usr/sbin/couriertcpd', args, env);
  }

  private configure(): void {
    const { unpacked, user } = this;
    const { key, cert } = testCertificate();
    unpacked.write('srv/certificate.pem', cert);
    unpacked.write(CERTIFICATE, `${key}\n${cert}`);
    unpacked.directory('run/courier/authdaemon');
    unpacked.directory('etc/courier');
    unpacked.write(
      'etc/courier/authdaemonrc',
      'authmodulelist="authuserdb"\nauthmodulelistorig="authuserdb"\ndaemons=3\n' +
        'authdaemonvar=/run/courier/authdaemon\nDEBUG_LOGIN=0\nDEFAULTOPTIONS=""\nLOGGEROPTS=""\n',
    );
    const hash = execFileSync('openssl', ['passwd', '-6', '-stdin'], { input: this.pass, encoding: 'utf8' });
    const home = '/srv/alice';
    this.writeUserDatabase('userdb', `${user}\tuid=65534|gid=65534|home=${home}|mail=${home}/Maildir`);
    this.writeUserDatabase('userdbshadow', `${user}\timappw=${hash.trim()}`);
    unpacked.directory(home);
    unpacked.exec('/usr/bin/maildirmake.courier', [`${home}/Maildir`]);
  }

  private writeUserDatabase(name: string, line: string): void {
    const path = `/etc/courier/${name}`;
    this.unpacked.exec(`${AUTHLIB}/makedatprog`, ['-', `${path}.tmp`, `${path}.dat`], `${line}\n.\n`);
  }
}
