import { Injectable } from '@nestjs/common';
import { DataSource } from 'typeorm';

/** The cheapest question a live database answers. */
@Injectable()
export class DatabaseProbe {
  constructor(private readonly dataSource: DataSource) {}

  async ping(): Promise<void> {
    await this.dataSource.query('SELECT 1');
  }
}
