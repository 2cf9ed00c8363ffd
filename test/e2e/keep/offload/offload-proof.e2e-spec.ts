import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { startTestApp, TestApp } from '../../../support/app';
import { PASSPHRASE } from '../../../support/encryption/encrypted-archive';
import { OffloadBox } from '../../../support/offload/offload-box';

/** A message whose copy is encrypted is moved out only when its copy is proved. */
describe('A message', () => {
  let sut: TestApp;

  beforeAll(async () => {
    sut = await startTestApp({ sandbox: { messages: 1 } });
  });

  afterAll(() => sut?.close());

  const flip = (bytes: Buffer): void => {
    const last = bytes.length - 3;
    bytes[last] = bytes[last]! ^ 1;
  };

  /** A message that was never proved has never been in the trash, not even briefly. */
  const trashedOnly = (box: OffloadBox, ids: readonly string[]): void => {
    expect(box.mailbox.received('TRASH').sort()).toEqual([...ids].sort());
    expect(box.calls('messages.batchDelete') + box.calls('messages.delete')).toBe(0);
  };

  it('should be compared with its encrypted copy, using the passphrase', async () => {
    const encrypting = await sut.user('encrypting');
    const box = await OffloadBox.filled(sut, encrypting, 4);
    await box.setUp();
    await box.encrypt();
    const plan = await box.plan({ mode: 'strict' });
    expect(plan).toMatchObject({ offloadable: 4, encrypted: 4 });
    expect((await box.confirm(plan, 'a wrong passphrase')).body.code).toBe('passphrase-invalid');
    const rows = await box.rows();
    const key = join(sut.archiveDir, rows.get(box.ids[0]!).storage_key as string);
    const bytes = await readFile(key);
    flip(bytes);
    await writeFile(key, bytes);
    flip(box.mailbox.raw(box.ids[1]!));
    const job = await encrypting.jobEnd(await box.start(plan, PASSPHRASE));
    expect(job.result).toMatchObject({ trashed: 2, blocked: 2 });
    expect(await box.reasons(plan.id as string)).toEqual({
      [box.ids[0]!]: 'copy-altered',
      [box.ids[1]!]: 'provider-differs',
    });
    trashedOnly(box, box.ids.slice(2));
    const [sealed] = await sut.dataSource.query(
      `SELECT sealed_secrets FROM jobs WHERE type || '-' || number = $1`,
      [job.queue_id],
    );
    expect(sealed.sealed_secrets).toBeNull();
  });

  it('should stay without the passphrase, unless the arrival’s hash is trusted', async () => {
    const encrypting = await sut.user('encrypted');
    const box = await OffloadBox.filled(sut, encrypting, 2);
    await box.setUp();
    await box.encrypt();
    const { plan } = await box.offload({ mode: 'strict' });
    expect(plan.blockedBy).toEqual({ 'copy-encrypted': 2 });
    trashedOnly(box, []);
    expect((await box.offload({ mode: 'fast' })).plan).toMatchObject({ trashed: 2, blocked: 0 });
    await sut.dataSource.query('UPDATE archived_mails SET content_sha256 = NULL WHERE account_id = $1', [
      box.accountId,
    ]);
    box.mailbox.changeLabels(box.ids, { add: ['INBOX'], remove: ['TRASH'] });
    expect(await box.plan()).toMatchObject({ offloadable: 0, blockedBy: { 'content-unknown': 2 } });
  });
});
