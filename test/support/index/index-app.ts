import type { NestExpressApplication } from '@nestjs/platform-express';
import { startTestApp, TestApp } from '../app';
import { IndexFixture } from './index-fixture';

/** The service over a sandbox, with further processes beside it. */
export class IndexApp extends IndexFixture<TestApp> {
  private readonly others: NestExpressApplication[] = [];

  static async start(
    role: 'all' | 'api',
    options: Parameters<typeof startTestApp>[0] = {},
  ): Promise<IndexApp> {
    const sut = await startTestApp({ ...options, env: { ROLE: role, ...options.env } });
    const fixture = new IndexApp(sut, await sut.user());
    await fixture.query('UPDATE users SET max_mailbox_accounts = 100');
    return fixture;
  }

  override async close(): Promise<void> {
    for (const other of this.others) await other.close();
    await super.close();
  }

  /** Another process of the service, as far as it concerns an account; closing it early is fine. */
  async another(role: 'all' | 'api' | 'worker' = 'api'): Promise<NestExpressApplication> {
    const { app } = await this.sut.another({ ROLE: role });
    this.others.push(app);
    return app;
  }

  /** By endpoint; a batch is counted by its parts. */
  calls(): Record<string, number> {
    const { batch: _wholes, ...parts } = this.sut.sandbox.stats.calls;
    this.sut.sandbox.stats.reset();
    return parts;
  }
}
