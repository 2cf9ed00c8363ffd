import { Injectable } from '@nestjs/common';
import { randomBytes } from 'node:crypto';
import { domainToASCII } from 'node:url';
import { MailboxAccountsService } from '../../mailbox/accounts/mailbox-accounts.service';
import { AuditTrail } from '../../platform/access/audit-trail.port';
import { AppConfig } from '../../platform/config/app-config';
import { SecretBox } from '../../platform/crypto/secret-box';
import { type Transaction, Transactions } from '../../platform/database/transactions';
import { ResourceNotFound } from '../../platform/http/domain-error';
import type { ArchiveOwner } from '../mails/writing/mail-to-archive';
import type { JournalAddressEntity } from './journal-address.entity';
import { type JournalAccount, JournalAddressesRepository } from './journal-addresses.repository';
import type { JournalFormat } from './journal-format';
import { JournalNotAvailable } from './journal.errors';

const PREFIX = 'journal-';
/** Lower-case letters and digits without those that look alike: mail servers may change upper into lower case. */
const ALPHABET = 'abcdefghijkmnpqrstuvwxyz23456789';
/** 160 bits, 5 in each character. */
const CHARACTERS = 32;
const PURPOSE = 'journal-address';

interface SealedSecret {
  readonly secret: string;
}

/** The address of an account, if it has one, with its counts. */
export interface JournalState {
  /** Whether the operator has switched on the listener. */
  readonly isAvailable: boolean;
  /** Null: the account takes none. */
  readonly address: string | null;
  readonly row: JournalAddressEntity | null;
}

/** Secret addresses of accounts, to which mail servers copy mail. See ADR 114. */
@Injectable()
export class JournalAddressesService {
  constructor(
    private readonly addresses: JournalAddressesRepository,
    private readonly accounts: MailboxAccountsService,
    private readonly secrets: SecretBox,
    private readonly audit: AuditTrail,
    private readonly transactions: Transactions,
    private readonly config: AppConfig,
  ) {}

  async get(owner: ArchiveOwner): Promise<JournalState> {
    return this.describe(await this.addresses.findOwned(owner));
  }

  /**
   * Gives the account an address, unless it has one that can be read.
   * @param format what the address expects from now on; none: what it expected before, or else copies
   * @throws JournalNotAvailable, AccountNotOwned
   */
  async turnOn(owner: ArchiveOwner, format?: JournalFormat): Promise<JournalState> {
    this.assertAvailable();
    return this.transactions.run(async (transaction) => {
      await this.accounts.requireOwned(owner.userId, owner.accountId, transaction);
      const first = { format: format ?? 'copies' };
      if (await this.addresses.add(owner, this.newSecret(owner), first.format, transaction))
        await this.audit.record({ action: 'journal.switched-on', ...owner, details: first }, transaction);
      else if (await this.replaceUnreadable(owner, transaction))
        await this.audit.record({ action: 'journal.switched-on', ...owner }, transaction);
      if (format && (await this.addresses.setFormatOwned(owner, format, transaction)))
        await this.audit.record(
          { action: 'journal.format-changed', ...owner, details: { format } },
          transaction,
        );
      return this.read(owner, transaction);
    });
  }

  /**
   * Gives the account another address.
   * @param graceHours hours for which mail to the old one is taken as well
   * @throws JournalNotAvailable, ResourceNotFound when it has none
   */
  async replace(owner: ArchiveOwner, graceHours: number): Promise<JournalState> {
    this.assertAvailable();
    return this.transactions.run(async (transaction) => {
      if (!(await this.addresses.replaceOwned(owner, this.newSecret(owner), graceHours, transaction)))
        throw new ResourceNotFound('journal address');
      const details = { graceHours };
      await this.audit.record({ action: 'journal.address-replaced', ...owner, details }, transaction);
      return this.read(owner, transaction);
    });
  }

  /** Ends the address: mail to it is refused from now on. It may be repeated. */
  async turnOff(owner: ArchiveOwner): Promise<void> {
    await this.transactions.run(async (transaction) => {
      if (await this.addresses.deleteOwned(owner, transaction))
        await this.audit.record({ action: 'journal.switched-off', ...owner }, transaction);
    });
  }

  /**
   * Finds the account that a recipient of SMTP means. The effort is the same for every address, so that its time tells nothing.
   */
  async resolve(recipient: string): Promise<JournalAccount | null> {
    const at = recipient.lastIndexOf('@');
    const local = recipient.slice(0, Math.max(0, at)).toLowerCase();
    // The SMTP library gives names of internationalised domains in Unicode.
    const isHere = domainToASCII(recipient.slice(at + 1)) === this.config.journal?.domain;
    const isJournal = local.startsWith(PREFIX);
    const account = await this.addresses.findByKey(this.lookupKey(local.slice(PREFIX.length)));
    return isHere && isJournal ? account : null;
  }

  /** Replaces an address that was sealed with a lost key. @returns whether there was one */
  private async replaceUnreadable(owner: ArchiveOwner, transaction: Transaction): Promise<boolean> {
    const row = await this.addresses.findOwned(owner, transaction);
    if (!row || this.secrets.isReadable(row.sealedSecret, row.accountId)) return false;
    return this.addresses.replaceOwned(owner, this.newSecret(owner), 0, transaction);
  }

  private async read(owner: ArchiveOwner, transaction: Transaction): Promise<JournalState> {
    return this.describe(await this.addresses.findOwned(owner, transaction));
  }

  private describe(row: JournalAddressEntity | null): JournalState {
    const { journal } = this.config;
    if (!row || !journal || !this.secrets.isReadable(row.sealedSecret, row.accountId))
      return { isAvailable: journal !== null, address: null, row };
    const { secret } = this.secrets.open<SealedSecret>(row.sealedSecret, row.accountId);
    return { isAvailable: true, address: `${PREFIX}${secret}@${journal.domain}`, row };
  }

  private newSecret({ accountId }: ArchiveOwner): Pick<JournalAddressEntity, 'sealedSecret' | 'lookupKey'> {
    const secret = [...randomBytes(CHARACTERS)].map((byte) => ALPHABET[byte % ALPHABET.length]!).join('');
    const sealed: SealedSecret = { secret };
    return { sealedSecret: this.secrets.seal(sealed, accountId), lookupKey: this.lookupKey(secret) };
  }

  private lookupKey(secret: string): string {
    return this.secrets.fingerprint(secret, PURPOSE);
  }

  private assertAvailable(): void {
    if (!this.config.journal) throw new JournalNotAvailable();
  }
}
