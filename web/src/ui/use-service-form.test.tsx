import { Button, TextInput } from '@mantine/core';
import { MailroomError } from '@mailroom/sdk';
import { act, screen, waitFor } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { notifications } from '@mantine/notifications';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { renderPart } from '../../test/render';
import { setLanguage } from '../i18n';
import { ProblemView } from './ProblemView';
import { useServiceForm } from './use-service-form';

const refusal = (...errors: readonly { field: string; message: string; reason?: string }[]): MailroomError =>
  new MailroomError('POST /api/example', new Response(null, { status: 400 }), {
    code: 'validation-failed',
    detail: 'Wrong.',
    errors,
  });

interface ExampleProps {
  readonly send: (values: { name: string; secret: string }) => Promise<string>;
  readonly onSent?: (answer: string) => void;
}

function Example({ send, onSent }: ExampleProps) {
  const form = useServiceForm({
    initial: { name: 'Ada', secret: '' },
    validate: { name: (name) => (name === '' ? 'Give it a name.' : null) },
    send,
    fields: { password: 'secret', tenant: null },
    success: 'Saved.',
    onSent,
  });
  return (
    <form onSubmit={form.submit}>
      <TextInput label="Name" {...form.getInputProps('name')} />
      <TextInput label="Secret" {...form.getInputProps('secret')} />
      {form.unsaid && <ProblemView error={form.unsaid} />}
      <Button type="submit">Save</Button>
    </form>
  );
}

const save = (): Promise<void> => userEvent.click(screen.getByRole('button', { name: 'Save' }));

describe('a form that is sent to the service', () => {
  afterEach(() => setLanguage('en'));

  it('should send its values, and confirm that they were saved', async () => {
    const show = vi.spyOn(notifications, 'show').mockReturnValue('');
    const send = vi.fn().mockResolvedValue('answer');
    const onSent = vi.fn();
    renderPart(<Example send={send} onSent={onSent} />);
    await userEvent.type(screen.getByLabelText('Secret'), 'x');
    await save();
    await waitFor(() => expect(onSent).toHaveBeenCalledTimes(1));
    expect(send.mock.calls[0]?.[0]).toEqual({ name: 'Ada', secret: 'x' });
    expect(onSent.mock.calls[0]?.[0]).toBe('answer');
    expect(show).toHaveBeenCalledWith({ message: 'Saved.' });
  });

  it('should send nothing while the page knows of an error', async () => {
    const send = vi.fn();
    renderPart(<Example send={send} />);
    await userEvent.clear(screen.getByLabelText('Name'));
    await save();
    expect(await screen.findByText('Give it a name.')).toBeInTheDocument();
    expect(send).not.toHaveBeenCalled();
  });

  it('should send once however often it is submitted in the meantime', async () => {
    const send = vi.fn(() => new Promise<string>(() => undefined));
    renderPart(<Example send={send} />);
    await save();
    await waitFor(() => expect(send).toHaveBeenCalledTimes(1));
    await save();
    expect(send).toHaveBeenCalledTimes(1);
  });

  it('should show an error at its field, until that field changes', async () => {
    renderPart(
      <Example send={() => Promise.reject(refusal({ field: 'password', message: 'is too odd' }))} />,
    );
    await save();
    const secret = screen.getByLabelText('Secret');
    await waitFor(() => expect(secret).toHaveAccessibleDescription('is too odd'));
    expect(screen.queryByRole('alert')).not.toBeInTheDocument();
    await userEvent.type(screen.getByLabelText('Name'), 'y');
    expect(secret).toBeInvalid();
    await userEvent.type(secret, 'z');
    expect(secret).toBeValid();
  });

  it('should show errors without a field beside the fields', async () => {
    renderPart(
      <Example
        send={() =>
          Promise.reject(
            refusal({ field: 'password', message: 'is too odd' }, { field: 'tenant', message: 'is gone' }),
          )
        }
      />,
    );
    await save();
    expect(await screen.findByRole('alert')).toBeInTheDocument();
  });

  it('should show an error in the language of the page', async () => {
    const wrong = { field: 'password', message: 'is common', reason: 'password-common' };
    renderPart(<Example send={() => Promise.reject(refusal(wrong))} />);
    await save();
    const secret = screen.getByLabelText('Secret');
    await waitFor(() => expect(secret).toHaveAccessibleDescription(/^Everybody tries/));
    await act(() => setLanguage('fr'));
    await waitFor(() => expect(secret).not.toHaveAccessibleDescription(/^Everybody tries/));
    expect(secret).toBeInvalid();
  });
});
