import { fireEvent, screen, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { renderPart } from '../../../test/render';
import { UploadService } from '../../../test/upload-service';
import { UploadList } from './UploadList';
import { uploads } from './upload-store';

const MAIL = 'From a@example.org Thu Jan  1 00:00:00 2026\n';
const aFile = (name = 'mail.mbox', text = MAIL): File => new File([text], name);

describe('UploadList', () => {
  let service: UploadService;

  beforeEach(() => {
    service = new UploadService();
    vi.stubGlobal(
      'fetch',
      vi.fn((request: Request) =>
        request.url.endsWith('/auth/config')
          ? Promise.resolve(Response.json({ maxUploadBytes: 1_000 }))
          : service.fetch(request),
      ),
    );
  });

  afterEach(async () => {
    for (const { id } of uploads.snapshot()) await uploads.cancel(id);
    vi.unstubAllGlobals();
  });

  /** Adds an upload begun elsewhere. Ended uploads stay in the state of the page, so that each test uses another id. */
  const begunElsewhere = (id: string, sent: string): void =>
    void service.kept.set(id, {
      filename: 'mail.mbox',
      size: MAIL.length,
      bytes: [...sent].map((letter) => letter.charCodeAt(0)),
    });

  it('should pause and resume an upload', async () => {
    service.gate = new Promise(() => undefined);
    renderPart(<UploadList accountId="a" />);
    await uploads.add('a', [aFile()], undefined);
    const item = (await screen.findByText('mail.mbox')).closest('li')!;
    await userEvent.click(within(item).getByRole('button', { name: 'Pause' }));
    expect(within(item).getByText('Paused')).toBeInTheDocument();
    service.gate = Promise.resolve();
    await userEvent.click(within(item).getByRole('button', { name: 'Resume' }));
    await vi.waitFor(() => expect(service.imported).toEqual(['mail.mbox']));
    await vi.waitFor(() => expect(screen.queryByText('mail.mbox')).toBeNull());
  });

  it('should keep the focus when its button changes', async () => {
    service.gate = new Promise(() => undefined);
    renderPart(<UploadList accountId="a" />);
    await uploads.add('a', [aFile('focus.mbox')], undefined);
    const item = (await screen.findByText('focus.mbox')).closest('li')!;
    await userEvent.click(within(item).getByRole('button', { name: 'Pause' }));
    expect(within(item).getByRole('button', { name: 'Resume' })).toHaveFocus();
    await userEvent.keyboard('{Enter}');
    expect(within(item).getByRole('button', { name: 'Pause' })).toHaveFocus();
    service.gate = Promise.resolve();
  });

  it('should return the focus when the uploaded part is kept', async () => {
    begunElsewhere('kept', MAIL.slice(0, 12));
    renderPart(<UploadList accountId="a" />);
    await userEvent.click(await screen.findByRole('button', { name: 'Cancel' }));
    await userEvent.click(screen.getByRole('button', { name: 'Keep it' }));
    expect(screen.getByRole('button', { name: 'Cancel' })).toHaveFocus();
    await userEvent.click(screen.getByRole('button', { name: 'Cancel' }));
    await userEvent.click(screen.getByRole('button', { name: 'Delete it' }));
    await vi.waitFor(() => expect(screen.queryByText('mail.mbox')).toBeNull());
  });

  it('should ask before the uploaded part is deleted', async () => {
    begunElsewhere('given-up', MAIL.slice(0, 12));
    renderPart(<UploadList accountId="a" />);
    await userEvent.click(await screen.findByRole('button', { name: 'Cancel' }));
    const question = screen.getByRole('group', { name: /The 12 B that have arrived will be deleted/ });
    await userEvent.click(within(question).getByRole('button', { name: 'Keep it' }));
    expect(service.kept.size).toBe(1);
    await userEvent.click(screen.getByRole('button', { name: 'Cancel' }));
    await userEvent.click(screen.getByRole('button', { name: 'Delete it' }));
    await vi.waitFor(() => expect(service.kept.size).toBe(0));
    await vi.waitFor(() => expect(screen.queryByText('mail.mbox')).toBeNull());
  });

  it('should resume an interrupted upload, but not with another file', async () => {
    begunElsewhere('goes-on', MAIL.slice(0, 12));
    const { container } = renderPart(<UploadList accountId="a" />);
    expect(await screen.findByText('Interrupted')).toBeInTheDocument();
    const input = container.querySelector('input[type=file]')!;
    fireEvent.change(input, { target: { files: [aFile('other.mbox', 'From x')] } });
    expect(await screen.findByRole('alert')).toHaveTextContent('other.mbox is another file.');
    fireEvent.change(input, { target: { files: [aFile()] } });
    await vi.waitFor(() => expect(service.imported).toEqual(['mail.mbox']));
    expect(service.text('goes-on')).toBe(MAIL);
    expect(service.kept.size).toBe(1);
  });

  it('should leave an upload to the tab that has its file', async () => {
    begunElsewhere('elsewhere', MAIL.slice(0, 12));
    const other = new BroadcastChannel('mailroom');
    other.onmessage = ({ data }: MessageEvent<{ kind: string }>) => {
      if (data.kind === 'uploadsAsked') other.postMessage({ kind: 'uploads', value: ['elsewhere'] });
    };
    renderPart(<UploadList accountId="a" />);
    expect(await screen.findByText('Another tab')).toBeInTheDocument();
    expect(screen.queryByRole('button')).toBeNull();
    other.close();
  });

  it('should explain why a file is not imported', async () => {
    renderPart(<UploadList accountId="a" />);
    await uploads.add('a', [aFile('mail.rar', 'Rar!')], undefined);
    expect(await screen.findByText(/Unpack it/)).toBeInTheDocument();
    await userEvent.click(screen.getByRole('button', { name: 'Hide' }));
    expect(screen.queryByText('mail.rar')).toBeNull();
  });
});
