import { Injectable } from '@nestjs/common';
import { Transactions } from '../../../platform/database/transactions';
import { isStatementTimeout } from '../../../platform/logging/system-errors';
import type { LocatedMail } from '../mail-content-reader';
import { IndexProbesRepository } from './index-probes.repository';

/** Searches the index for mails that are checked. */
@Injectable()
export class IndexSearch {
  constructor(
    private readonly probes: IndexProbesRepository,
    private readonly transactions: Transactions,
  ) {}

  /** Whether the index has not got a mail by a search. One that takes too long, because its words are too common, proves nothing. */
  async misses(mail: LocatedMail, q: string): Promise<boolean> {
    try {
      return !(await this.transactions.run((transaction) => this.probes.isFound(mail, q, transaction)));
    } catch (error) {
      if (isStatementTimeout(error)) return false;
      throw error;
    }
  }
}
