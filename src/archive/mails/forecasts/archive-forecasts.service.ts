import { Injectable } from '@nestjs/common';
import {
  ImapTransfersService,
  type ImapTransfers,
} from '../../../providers/imap/forecast/imap-transfers.service';
import { completionOf, HEADER_BYTES } from '../../../providers/imap/forecast/transfer-forecast';
import { ArchiveForecastsRepository } from './archive-forecasts.repository';

/** Forecast of archiving all that a mailbox has and its archive does not. */
export interface ArchiveForecast {
  readonly transfers: ImapTransfers;
  readonly messages: number;
  readonly bytes: number;
  /** Whether messages or sizes are not all known yet. */
  readonly isApproximate: boolean;
  /** When the last message will have been read; null: within the day, or no limit is known. */
  readonly completesAt: Date | null;
}

/** Forecasts how long the limits of a provider stretch the archiving of a mailbox. */
@Injectable()
export class ArchiveForecastsService {
  constructor(
    private readonly transfers: ImapTransfersService,
    private readonly repository: ArchiveForecastsRepository,
  ) {}

  /** @returns null for a mailbox that is not connected by IMAP, whose sizes and limits of bytes are not known */
  async forecast(userId: string, accountId: string): Promise<ArchiveForecast | null> {
    const transfers = await this.transfers.find(userId, accountId);
    if (!transfers) return null;
    const { messages, bytes, withoutHeader } = await this.repository.sumMissing(userId, accountId);
    const toRead = bytes + withoutHeader * HEADER_BYTES;
    return {
      transfers,
      messages,
      bytes,
      isApproximate: !transfers.isListed || withoutHeader > 0,
      completesAt: transfers.received && completionOf(toRead, transfers.received, new Date()),
    };
  }
}
