import { startTestApp, type TestApp } from './app';
import { ArchiveFixture } from './archive/archive-fixture';
import type { TestUser } from './test-user';

const MOST_ACCOUNTS = 50;

/** A service and a user for tests that import files, each into a new account. */
export class ImportWorld {
  private accounts = 0;

  private constructor(
    readonly app: TestApp,
    readonly user: TestUser,
    private readonly name: string,
  ) {}

  /** @param name begins the addresses of the accounts */
  static async start(name: string, maxUploadBytes = 64 * 1024 * 1024): Promise<ImportWorld> {
    const app = await startTestApp({
      sandbox: { messages: 1 },
      env: { MAX_UPLOAD_BYTES: String(maxUploadBytes) },
    });
    const user = await app.user();
    await app.dataSource.query('UPDATE users SET max_mailbox_accounts = $1', [MOST_ACCOUNTS]);
    return new ImportWorld(app, user, name);
  }

  /** A new account with an empty archive. */
  connect(): Promise<ArchiveFixture> {
    return ArchiveFixture.connect(
      this.app,
      this.user,
      `${this.name}${(this.accounts += 1)}-0@sandbox.mailroom.test`,
    );
  }
}
