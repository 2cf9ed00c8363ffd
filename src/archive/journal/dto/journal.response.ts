import { ApiProperty } from '@nestjs/swagger';
import type { JournalState } from '../journal-addresses.service';
import { JOURNAL_FORMATS, type JournalFormat } from '../journal-format';
import { REFUSALS, type Refusal } from '../refusal';

/** The address to which mail servers copy the mail of an account, and counts of what came. */
export class JournalResponse {
  /** Whether the operator of this server has switched on the listener for copied mail. */
  available: boolean;

  /** The secret address. It lets anyone who knows it add mail to the archive. Null: the account takes no copied mail, or the server
   * does not. */
  @ApiProperty({
    type: String,
    nullable: true,
    example: 'journal-k3vm8q2wz7ty4bxn6hc5rj9dgsaf2peu@archive.example.com',
  })
  address: string | null;

  /** The format that the address expects; `copies` as long as there is none. */
  @ApiProperty({ enum: JOURNAL_FORMATS, enumName: 'JournalFormat', example: 'copies' })
  format: JournalFormat;

  @ApiProperty({ type: String, format: 'date-time', nullable: true, example: '2026-03-01T08:00:00.000Z' })
  createdAt: string | null;

  @ApiProperty({ type: String, format: 'date-time', nullable: true, example: null })
  replacedAt: string | null;

  /** Until when mail to the address before it is taken as well. */
  @ApiProperty({ type: String, format: 'date-time', nullable: true, example: null })
  previousAddressUntil: string | null;

  /** Messages that were archived. */
  @ApiProperty({ type: 'integer', example: 4821 })
  received: number;

  /** Bytes of these. */
  @ApiProperty({ type: 'integer', example: 350224113 })
  receivedBytes: number;

  /** Messages that the archive had already: sent again, or copied from the mailbox before. */
  @ApiProperty({ type: 'integer', example: 12 })
  duplicates: number;

  /** Attempts that were refused. Senders try again, except for messages that are too large or go round in a loop. */
  @ApiProperty({ type: 'integer', example: 3 })
  refused: number;

  @ApiProperty({ type: String, format: 'date-time', nullable: true, example: '2026-03-01T08:30:00.000Z' })
  lastReceivedAt: string | null;

  @ApiProperty({ type: String, format: 'date-time', nullable: true, example: '2026-02-27T21:10:00.000Z' })
  lastRefusedAt: string | null;

  /** Why the last one was refused. */
  @ApiProperty({ type: String, enum: [...REFUSALS, null], nullable: true, example: 'busy' })
  lastRefusal: Refusal | null;
}

export function toJournalResponse({ isAvailable, address, row }: JournalState): JournalResponse {
  const iso = (date: Date | null | undefined): string | null => date?.toISOString() ?? null;
  const isTaken = row?.previousUntil != null && row.previousUntil.getTime() > Date.now();
  return {
    available: isAvailable,
    address,
    format: row?.format ?? 'copies',
    createdAt: iso(row?.createdAt),
    replacedAt: iso(row?.replacedAt),
    previousAddressUntil: isTaken ? iso(row.previousUntil) : null,
    received: row?.received ?? 0,
    receivedBytes: row?.receivedBytes ?? 0,
    duplicates: row?.duplicates ?? 0,
    refused: row?.refused ?? 0,
    lastReceivedAt: iso(row?.lastReceivedAt),
    lastRefusedAt: iso(row?.lastRefusedAt),
    lastRefusal: (row?.lastRefusal ?? null) as Refusal | null,
  };
}
