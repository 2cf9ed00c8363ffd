import { ApiProperty } from '@nestjs/swagger';
import type { IndexGaps } from '../index-ledger/index-gaps';

/** Archived mails that a search may miss, because they or their attachments are not, or not wholly, indexed. Encrypted mail is not
 * among them. */
export class NotIndexedResponse {
  @ApiProperty({ type: 'integer', example: 3 })
  mails: number;

  /** Mails among them that are still to be read in the background; of the others, something could not be read. */
  @ApiProperty({ type: 'integer', example: 2 })
  waiting: number;

  /** Whether the numbers are exact: they end at 10,000 in each archive. */
  is_exact: boolean;

  /** All mails in the archives that were searched. */
  @ApiProperty({ type: 'integer', example: 1204 })
  total: number;
}

/** Mails of one archive that a search may miss. */
export class NotIndexedInArchiveResponse {
  @ApiProperty({ format: 'uuid', example: '01932c5e-7d5b-7c3a-9d0e-0f7f3c1a2b4d' })
  account_id: string;

  @ApiProperty({ type: 'integer', example: 3 })
  mails: number;
}

/** Mails of several archives that a search may miss. */
export class NotIndexedInArchivesResponse extends NotIndexedResponse {
  /** The archives that have such mails. */
  accounts: NotIndexedInArchiveResponse[];
}

/** Gaps of an account. */
export interface AccountGaps {
  readonly accountId: string;
  readonly gaps: IndexGaps;
}

export const toNotIndexedResponse = ({ mails, waiting, isExact, total }: IndexGaps): NotIndexedResponse => ({
  mails,
  waiting,
  is_exact: isExact,
  total,
});

export function toNotIndexedInArchivesResponse(all: readonly AccountGaps[]): NotIndexedInArchivesResponse {
  const sum = (of: (gaps: IndexGaps) => number): number =>
    all.reduce((total, { gaps }) => total + of(gaps), 0);
  return {
    mails: sum(({ mails }) => mails),
    waiting: sum(({ waiting }) => waiting),
    is_exact: all.every(({ gaps }) => gaps.isExact),
    total: sum(({ total }) => total),
    accounts: all
      .filter(({ gaps }) => gaps.mails > 0)
      .map(({ accountId, gaps }) => ({ account_id: accountId, mails: gaps.mails })),
  };
}
