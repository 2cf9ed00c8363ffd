import { screen } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { describe, expect, it, vi } from 'vitest';
import { renderPart } from '../../test/render';
import { Confirm } from './Confirm';

const question = {
  opened: true,
  title: 'Delete 12 messages for good?',
  text: 'They cannot be restored.',
  verb: 'Delete 12 messages',
  onClose: () => undefined,
};

describe('Confirm', () => {
  it('should describe what the button does, and do it once', async () => {
    const onConfirm = vi.fn();
    renderPart(<Confirm {...question} onConfirm={onConfirm} />);
    await userEvent.click(await screen.findByRole('button', { name: 'Delete 12 messages' }));
    expect(onConfirm).toHaveBeenCalledTimes(1);
  });

  it('should require the number to be typed for irreversible actions', async () => {
    const onConfirm = vi.fn();
    renderPart(<Confirm {...question} typed={{ value: '12', label: 'Type 12' }} onConfirm={onConfirm} />);
    const button = await screen.findByRole('button', { name: 'Delete 12 messages' });
    expect(button).toBeDisabled();
    await userEvent.type(screen.getByLabelText('Type 12'), '1{Enter}');
    expect(onConfirm).not.toHaveBeenCalled();
    await userEvent.type(screen.getByLabelText('Type 12'), '2');
    expect(button).toBeEnabled();
    await userEvent.keyboard('{Enter}');
    expect(onConfirm).toHaveBeenCalledTimes(1);
  });

  it('should have a close button with a name, like every dialog', async () => {
    const onClose = vi.fn();
    renderPart(<Confirm {...question} onConfirm={() => undefined} onClose={onClose} />);
    await userEvent.click(await screen.findByRole('button', { name: 'Close' }));
    expect(onClose).toHaveBeenCalledTimes(1);
  });

  it('should only close on Escape', async () => {
    const onConfirm = vi.fn();
    const onClose = vi.fn();
    renderPart(<Confirm {...question} onConfirm={onConfirm} onClose={onClose} />);
    await screen.findByRole('button', { name: 'Delete 12 messages' });
    await userEvent.keyboard('{Escape}');
    expect([onClose.mock.calls.length, onConfirm.mock.calls.length]).toEqual([1, 0]);
  });

  it('should not be confirmed twice while it is busy', async () => {
    const onConfirm = vi.fn();
    renderPart(<Confirm {...question} busy onConfirm={onConfirm} />);
    const button = await screen.findByRole('button', { name: /Delete 12 messages/ });
    expect(button).toBeDisabled();
  });
});
