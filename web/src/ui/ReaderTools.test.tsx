import { screen } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { useState, type ReactNode } from 'react';
import { beforeAll, describe, expect, it } from 'vitest';
import { renderPart } from '../../test/render';
import { loadTexts } from '../i18n/texts';
import { MailReader } from './MailReader';
import { useReaderSteps } from './reader-steps';

interface ReaderProps {
  readonly isComplete?: boolean;
}

/** A reader of three mails, a new one for each, as on the pages. */
function Reader({ isComplete = true }: ReaderProps): ReactNode {
  const [index, setIndex] = useState(0);
  const steps = useReaderSteps({ of: 'message', index, count: 3, isComplete, onOpen: setIndex });
  return (
    <MailReader key={index} head={<h2>Mail {index}</h2>} steps={steps} onClose={() => undefined}>
      <input aria-label="Field" />
    </MailReader>
  );
}

describe('the tools above a mail', () => {
  beforeAll(() => loadTexts('mailFacts'));

  const button = (name: string): HTMLElement => screen.getByRole('button', { name });
  const expectMail = (index: number): void => {
    expect(screen.getByRole('heading')).toHaveTextContent(`Mail ${index}`);
  };

  it('should lead to the mails beside it, and keep the focus on the button', async () => {
    renderPart(<Reader />);
    expect(button('Previous message')).toHaveAttribute('aria-disabled', 'true');
    expect(screen.getByText('1 of 3')).toBeVisible();

    await userEvent.click(button('Next message'));
    expectMail(1);
    expect(screen.getByText('2 of 3')).toBeVisible();
    expect(button('Next message')).toHaveFocus();

    await userEvent.keyboard('{Enter}');
    expectMail(2);
    expect(button('Next message')).toHaveFocus();
    expect(button('Next message')).toHaveAttribute('aria-disabled', 'true');
    await userEvent.keyboard('{Enter}');
    expectMail(2);

    await userEvent.click(button('Previous message'));
    expectMail(1);
    expect(button('Previous message')).toHaveFocus();
  });

  it('should be reached by the keys of the list, except from a field', async () => {
    renderPart(<Reader />);
    await userEvent.click(screen.getByLabelText('Field'));
    await userEvent.keyboard('j');
    expectMail(0);
    button('Next message').focus();
    await userEvent.keyboard('jjj');
    expectMail(2);
    await userEvent.keyboard('k');
    expectMail(1);
  });

  it('should not say how many there are before all are known', () => {
    renderPart(<Reader isComplete={false} />);
    expect(screen.queryByText(/ of 3/)).toBeNull();
  });

  it('should copy the address of the page', async () => {
    const user = userEvent.setup();
    renderPart(<Reader />);
    await user.click(button('Copy link'));
    expect(await screen.findByRole('button', { name: 'Link copied' })).toBeVisible();
    expect(await navigator.clipboard.readText()).toBe(window.location.href);
  });
});
