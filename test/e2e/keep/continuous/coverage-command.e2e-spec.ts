import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { ArchivingHealthService } from '../../../../src/keep/continuous/health/archiving-health.service';
import { startTestApp, type TestApp } from '../../../support/app';
import { KeptMailbox, message } from '../../../support/archiving/kept-mailbox';

const CLI = join(__dirname, '../../../../dist/src/cli/main.js');

interface Ended {
  readonly code: number;
  readonly output: string;
  readonly errors: string;
}

// A process takes seconds to start on a busy machine.
jest.setTimeout(120_000);

describe('The command coverage', () => {
  let app: TestApp;

  beforeAll(async () => {
    app = await startTestApp({ own: true, sandbox: { messages: 1 } });
  });
  afterAll(() => app?.close());

  /** Runs the built command line, as operators do. */
  const coverage = (...args: string[]): Promise<Ended> =>
    new Promise((resolve, reject) => {
      const env = { PATH: process.env.PATH, ...app.env };
      execFile(process.execPath, [CLI, 'coverage', ...args], { env }, (error, output, errors) => {
        if (error && typeof error.code !== 'number') reject(new Error('It did not exit', { cause: error }));
        else resolve({ code: Number(error?.code ?? 0), output, errors });
      });
    });

  it('should exit with 2 unless each mailbox is covered exactly and healthy', async () => {
    expect(await coverage()).toEqual({
      code: 0,
      output: 'No mailbox is archived continuously.\n',
      errors: '',
    });

    const box = await KeptMailbox.connect(app, await app.user(), 'command-3@sandbox.mailroom.test');
    await box.keep();
    await box.lookUntilDone();
    const complete = await coverage('--json');
    expect(complete).toMatchObject({ code: 0, errors: '' });
    expect(JSON.parse(complete.output)).toMatchObject({
      accountId: box.accountId,
      exact: true,
      healthy: true,
      pending: 0,
      failed: 0,
      total: box.mailbox.ids().length,
    });

    const unreadable = box.mailbox.insert(message('unreadable'), { labelIds: ['INBOX'] });
    await box.look();
    await box.query(
      `UPDATE ledger_messages SET class = 'failed', reason = 'provider-rejected', mail_id = NULL
       WHERE account_id = $1 AND message_id = $2`,
      unreadable,
    );
    const failed = await coverage();
    expect(failed.code).toBe(2);
    expect(failed.output).toContain('  exact, not healthy  ');
    expect(failed.output).toContain('1 failed');
    expect(failed.errors).toBe('1 of 1 are not covered exactly and healthy.\n');

    await box.query('UPDATE archiving_settings SET exact = false WHERE account_id = $1');
    expect(JSON.parse((await coverage('--json')).output)).toMatchObject({ exact: false, healthy: false });
  });

  it('should fail for mail that waits too long, unless its mailbox is only watched', async () => {
    await app.dataSource.query(`UPDATE archiving_settings SET mode = 'off'`);
    const box = await KeptMailbox.connect(app, await app.user(), 'waiting-4@sandbox.mailroom.test');
    await box.keep({ mode: 'watch' });
    await box.look();
    await box.query(
      `UPDATE ledger_messages SET due_at = now() - interval '15 minutes' WHERE account_id = $1`,
    );
    const judge = (): Promise<number> => app.app.get(ArchivingHealthService).judgeAll();
    await judge();
    const watched = await coverage('--json');
    expect(watched).toMatchObject({ code: 0, errors: '' });
    expect(JSON.parse(watched.output)).toMatchObject({ exact: true, healthy: true, pending: 4 });

    await box.query(`UPDATE archiving_settings SET mode = 'keep' WHERE account_id = $1`);
    await judge();
    const late = await coverage('--json');
    expect(late).toMatchObject({ code: 2, errors: '1 of 1 are not covered exactly and healthy.\n' });
    expect(JSON.parse(late.output)).toMatchObject({ exact: true, healthy: false, pending: 4 });
    await box.lookUntilDone();
    await judge();
    expect((await coverage()).code).toBe(0);
  });
});
