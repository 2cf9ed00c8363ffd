import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { UploadService } from '../../../test/upload-service';
import { UploadStore, type Upload } from './upload-store';

const MAIL = 'From a@example.org Thu Jan  1 00:00:00 2026\n';
const aFile = (name = 'mail.mbox', text = MAIL): File => new File([text], name);

describe('the uploads of a tab', () => {
  let service: UploadService;
  let store: UploadStore;

  beforeEach(() => {
    service = new UploadService();
    vi.stubGlobal('fetch', service.fetch);
    store = new UploadStore();
  });

  afterEach(() => {
    vi.useRealTimers();
    vi.unstubAllGlobals();
  });

  const shown = (): Pick<Upload, 'filename' | 'status' | 'sent'>[] =>
    store.snapshot().map(({ filename, status, sent }) => ({ filename, status, sent }));
  const only = (): Upload => store.snapshot()[0]!;
  /** The chunk that is sent next is not answered until the function is called. */
  const hold = (): (() => void) => {
    let letGo = (): void => undefined;
    service.gate = new Promise((resolve) => (letGo = resolve));
    return letGo;
  };
  const pausedInTheMiddle = async (): Promise<void> => {
    const unsubscribe = store.subscribe(() => {
      if (only().sent >= 8 && only().status === 'running') store.pause(only().id);
    });
    await store.add('a', [aFile()], undefined);
    await vi.waitFor(() => expect(only().status).toBe('paused'));
    unsubscribe();
  };

  it('should be complete, and be imported', async () => {
    await store.add('a', [aFile()], undefined);
    await vi.waitFor(() => expect(service.imported).toEqual(['mail.mbox']));
    await vi.waitFor(() => expect(store.snapshot()).toEqual([]));
    expect(service.text('upload-1')).toBe(MAIL);
    expect(store.isKnown('upload-1')).toBe(true);
    expect(store.filenameOf('import_mbox-upload-1')).toBe('mail.mbox');
  });

  it('should stop while paused, and continue where it was', async () => {
    await pausedInTheMiddle();
    const { sent } = only();
    const asked = service.fetch.mock.calls.length;
    expect(sent).toBeLessThan(MAIL.length);
    expect(store.open).toHaveLength(1);
    await Promise.resolve();
    expect(service.fetch.mock.calls).toHaveLength(asked);
    store.goOn(only().id);
    await vi.waitFor(() => expect(service.imported).toHaveLength(1));
    expect(service.text('upload-1')).toBe(MAIL);
    expect(service.kept.size).toBe(1);
  });

  it('should continue after a reload, with the file selected again', async () => {
    await pausedInTheMiddle();
    const { uploadId, sent } = only();
    store = new UploadStore();
    store.resume('a', { id: uploadId!, offset: sent }, aFile());
    expect(only().sent).toBe(sent);
    await vi.waitFor(() => expect(service.imported).toHaveLength(1));
    expect(service.text(uploadId!)).toBe(MAIL);
  });

  it('should wait while the service is unavailable, and continue as soon as there is a connection', async () => {
    service.isAway = true;
    await store.add('a', [aFile()], undefined);
    await vi.waitFor(() => expect(only().status).toBe('waiting'), 5_000);
    service.isAway = false;
    window.dispatchEvent(new Event('online'));
    await vi.waitFor(() => expect(service.imported).toHaveLength(1));
  });

  it('should be sent one after the other', async () => {
    const letGo = hold();
    await store.add('a', [aFile('one'), aFile('two')], undefined);
    await vi.waitFor(() => expect(only().uploadId).not.toBeNull());
    expect(shown()).toEqual([
      { filename: 'one', status: 'running', sent: 0 },
      { filename: 'two', status: 'queued', sent: 0 },
    ]);
    letGo();
    await vi.waitFor(() => expect(service.imported).toEqual(['one', 'two']));
  });

  it('should let the next one go first when it is paused', async () => {
    hold();
    await store.add('a', [aFile('one'), aFile('two')], undefined);
    store.pause(only().id);
    expect(shown().map(({ status }) => status)).toEqual(['paused', 'running']);
  });

  it('should be deleted from the service when it is cancelled', async () => {
    await pausedInTheMiddle();
    await store.cancel(only().id);
    expect([store.snapshot(), [...service.kept.keys()]]).toEqual([[], []]);
  });

  it('should restart from the beginning when the service has deleted it', async () => {
    await pausedInTheMiddle();
    service.kept.clear();
    store.goOn(only().id);
    await vi.waitFor(() => expect(only().status).toBe('failed'));
    expect(store.open).toEqual([]);
    store.goOn(only().id);
    await vi.waitFor(() => expect(service.imported).toHaveLength(1));
    expect(service.text('upload-2')).toBe(MAIL);
  });

  it.each([
    ['mail.rar', 'Rar!', 'packed'],
    ['Takeout.zip', 'PK\u0003\u0004', null],
    ['takeout.tgz', '\u001f\u008b', null],
    ['mail.pst', '!BDN', null],
    ['one.eml', 'From: a@example.org', null],
    ['empty', '', 'empty'],
    ['long', MAIL.repeat(3), 'tooLarge'],
    ['Inbox', MAIL, null],
    ['all.mbox.gz', '\u001f\u008b', null],
  ])('should not start for a file that cannot be imported: %s', async (name, text, refusal) => {
    hold();
    await store.add('a', [aFile(name, text)], MAIL.length);
    expect(only().refusal).toBe(refusal);
    if (refusal !== null) expect(service.fetch).not.toHaveBeenCalled();
  });
});
