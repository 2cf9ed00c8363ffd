import { Injectable } from '@nestjs/common';
import { Cron } from '@nestjs/schedule';
import { PreparedExportsService } from './prepared-exports.service';

/** Deletes exports that have expired, with their sealed passphrases. Any number of processes may do it at once. */
@Injectable()
export class PreparedExportsCron {
  constructor(private readonly exports: PreparedExportsService) {}

  @Cron('* * * * *', { name: 'expire-exports', waitForCompletion: true })
  async deleteExpired(): Promise<void> {
    await this.exports.deleteExpired();
  }
}
