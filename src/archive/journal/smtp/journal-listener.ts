import { BeforeApplicationShutdown, Injectable, Logger, OnApplicationBootstrap } from '@nestjs/common';
import { setMaxListeners } from 'node:events';
import { readFileSync } from 'node:fs';
import type { AddressInfo } from 'node:net';
import { createSecureContext } from 'node:tls';
import {
  SMTPServer,
  type SMTPServerAddress,
  type SMTPServerDataStream,
  type SMTPServerSession,
} from 'smtp-server';
import { setInterval } from '../../../platform/concurrency/timers';
import { AppConfig, type JournalConfig } from '../../../platform/config/app-config';
import { describeError } from '../../../platform/logging/describe-error';
import { JournalAddressesService } from '../journal-addresses.service';
import type { JournalAccount } from '../journal-addresses.repository';
import { JournalFigures } from '../journal-figures';
import { JournalIntake } from '../journal-intake';
import { refusalOf } from '../refusal';
import { AllowedNetworks } from './allowed-networks';
import { isFault, replyTo, SmtpReply } from './smtp-reply';

/** Time that messages which are arriving have at shutdown. */
const CLOSE_MS = 10_000;
/** Recipients of one message: accounts of this server. */
const MAX_RECIPIENTS = 100;
/** Unknown recipients after which a connection is closed, against clients that guess addresses. */
const MAX_UNKNOWN = 10;
const CERTIFICATE_CHECK_MS = 10 * 60_000;

type Done = (error?: Error | null, answer?: string) => void;

/** The state of a connection. */
interface Connection {
  /** Accounts of the recipients of the present message, by the recipient's address. */
  recipients: Map<string, JournalAccount>;
  unknown: number;
}

/**
 * Listens for mail that mail servers copy to accounts by SMTP. It answers 250 when a message is durable in the archive of each
 * recipient, and otherwise leaves it to its sender; it never sends mail, so it causes neither bounces nor loops. See ADR 114.
 */
@Injectable()
export class JournalListener implements OnApplicationBootstrap, BeforeApplicationShutdown {
  private readonly logger = new Logger(JournalListener.name);
  private readonly connections = new Map<string, Connection>();
  /** Ids of the connections whose message is arriving or being archived. */
  private readonly receiving = new Set<string>();
  private readonly stopping = new AbortController();
  private server: SMTPServer | null = null;
  private certificateCheck: NodeJS.Timeout | undefined;
  /** The certificate and key that connections get; null: there is no TLS. */
  private inUse: CertificateAndKey | null = null;

  constructor(
    private readonly config: AppConfig,
    private readonly addresses: JournalAddressesService,
    private readonly intake: JournalIntake,
    private readonly figures: JournalFigures,
  ) {}

  /** The port on which it listens; null: it does not. */
  get port(): number | null {
    return (this.server?.server.address() as AddressInfo | null)?.port ?? null;
  }

  /** Only processes that answer requests listen: jobs are no reason for a port to be open. */
  async onApplicationBootstrap(): Promise<void> {
    const { journal } = this.config;
    if (!journal || !this.config.runsApi) return;
    // Each message that arrives adds a listener.
    setMaxListeners(0, this.stopping.signal);
    const server = this.create(journal);
    this.server = server;
    await new Promise<void>((resolve, reject) => {
      server.once('error', reject);
      server.listen(journal.port, journal.host, () => {
        server.off('error', reject);
        resolve();
      });
    });
    // Errors of single connections, which they end with.
    server.on('error', (error: Error) =>
      this.logger.debug(`A connection ended: ${describeError(error).message}`),
    );
    if (this.inUse)
      this.certificateCheck = setInterval(() => this.renewCertificate(), CERTIFICATE_CHECK_MS).unref();
    this.logger.log(`Listening for copied mail on ${journal.host}:${this.port}`);
  }

  /** Lets messages that are arriving come in, and then ends. */
  async beforeApplicationShutdown(): Promise<void> {
    const { server } = this;
    if (!server) return;
    clearInterval(this.certificateCheck);
    const closed = new Promise<void>((resolve) => server.close(resolve));
    for (const connection of server.connections)
      if (!this.receiving.has(connection.id)) connection.send(421, 'Server shutting down');
    await closed;
    this.stopping.abort(new Error('The process ends'));
  }

  private create(journal: JournalConfig): SMTPServer {
    const networks = new AllowedNetworks(journal.networks);
    this.inUse = journal.tls && secureContext(journal.tls);
    return new SMTPServer({
      name: journal.domain,
      banner: 'Mailroom takes copies of mail only',
      size: journal.maxMessageBytes,
      rejectOversized: true,
      maxClients: journal.maxConnections,
      maxRecipients: MAX_RECIPIENTS,
      socketTimeout: journal.idleMs,
      closeTimeout: CLOSE_MS,
      disableReverseLookup: true,
      hideENHANCEDSTATUSCODES: false,
      hideDSN: true,
      logger: false,
      ...this.inUse,
      disabledCommands: journal.tls ? ['AUTH'] : ['AUTH', 'STARTTLS'],
      onConnect: (session, done) => {
        if (!networks.includes(session.remoteAddress))
          return done(new Error('Hosts of this network may not connect'));
        this.connections.set(session.id, { recipients: new Map(), unknown: 0 });
        done();
      },
      onMailFrom: (_address, session, done) => {
        this.connectionOf(session).recipients = new Map();
        if (journal.requireTls && !session.secure)
          return done(new SmtpReply(530, '5.7.0', 'Must issue a STARTTLS command first'));
        done();
      },
      onRcptTo: (address, session, done) => void this.acceptRecipient(address, session, done),
      onData: (stream, session, done) => void this.receive(stream, session, done),
      onClose: (session) => void this.connections.delete(session.id),
    });
  }

  private async acceptRecipient(
    { address }: SMTPServerAddress,
    session: SMTPServerSession,
    done: Done,
  ): Promise<void> {
    const connection = this.connectionOf(session);
    try {
      const account = await this.addresses.resolve(address);
      if (!account) {
        this.figures.recordUnknownRecipient();
        connection.unknown += 1;
        if (connection.unknown < MAX_UNKNOWN) return done(new SmtpReply(550, '5.1.1', 'No such recipient'));
        // The library closes the connection after a plain 421.
        return done(Object.assign(new Error('Too many unknown recipients'), { responseCode: 421 }));
      }
      // Its mail waits at the sender until the user is active again, or the sender gives up.
      if (!account.isActive) return done(new SmtpReply(450, '4.2.1', 'The recipient is disabled at present'));
      connection.recipients.set(address.toLowerCase(), account);
      done();
    } catch (error) {
      this.logger.warn(`A recipient could not be looked up: ${describeError(error).message}`);
      done(replyTo(error));
    }
  }

  private async receive(stream: SMTPServerDataStream, session: SMTPServerSession, done: Done): Promise<void> {
    const { envelope } = session;
    const { recipients } = this.connectionOf(session);
    const wanted = envelope.rcptTo.flatMap(({ address }) => recipients.get(address.toLowerCase()) ?? []);
    const owners = [...new Map(wanted.map((account) => [account.accountId, account])).values()];
    this.receiving.add(session.id);
    try {
      await this.intake.take(
        {
          stream,
          sender: (envelope.mailFrom && envelope.mailFrom.address) || null,
          arrivedAt: new Date(),
          statedBytes: statedSize(envelope.mailFrom),
          isTooLarge: () => stream.sizeExceeded,
        },
        owners,
        this.stopping.signal,
      );
      done(null, 'OK: archived');
    } catch (error) {
      // After a connection broke off, nothing was refused.
      if (!stream.destroyed || stream.readableEnded) {
        if (isFault(error)) this.logger.error(error);
        await this.figures.recordRefusal(owners, refusalOf(error));
      }
      done(replyTo(error));
    } finally {
      this.receiving.delete(session.id);
    }
  }

  private connectionOf({ id }: SMTPServerSession): Connection {
    const known = this.connections.get(id);
    if (!known) throw new Error('The connection was refused, or has ended.');
    return known;
  }

  /**
   * Takes over a certificate that has been renewed. The one in use stays while the new one cannot be read, or has another key than
   * the file beside it: its program may be writing the two at the moment.
   */
  renewCertificate(): void {
    const files = this.config.journal?.tls;
    if (!files || !this.server || !this.inUse) return;
    try {
      const now = secureContext(files);
      if (now.cert.equals(this.inUse.cert) && now.key.equals(this.inUse.key)) return;
      // The library would drop the old certificate before it finds out that the new one is unusable.
      createSecureContext(now);
      this.server.updateSecureContext(now);
      this.inUse = now;
      this.logger.log('The certificate of the listener for copied mail was renewed');
    } catch (error) {
      this.logger.warn(`The certificate could not be taken over: ${describeError(error).message}`);
    }
  }
}

interface CertificateAndKey {
  readonly cert: Buffer;
  readonly key: Buffer;
}

const secureContext = ({
  certificateFile,
  keyFile,
}: NonNullable<JournalConfig['tls']>): CertificateAndKey => ({
  cert: readFileSync(certificateFile),
  key: readFileSync(keyFile),
});

/** The SIZE parameter of MAIL FROM, which the library has checked. */
function statedSize(sender: SMTPServerAddress | false): number | null {
  const size = sender && sender.args ? sender.args['SIZE'] : undefined;
  return typeof size === 'string' ? Number(size) : null;
}
