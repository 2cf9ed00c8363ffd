import { screen } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { useState, type ReactNode } from 'react';
import { describe, expect, it, vi } from 'vitest';
import { renderPart } from '../../test/render';
import { formatShortDate } from '../i18n/format';
import { MailRow } from './MailRow';
import { useSteady } from './use-steady';

// Each rendering of a row formats its date.
vi.mock('../i18n/format', { spy: true });

/** A list of one row, which shows the first letter alone. */
function List({ onOpen }: { readonly onOpen: (text: string) => void }): ReactNode {
  const [text, setText] = useState('a1');
  const open = useSteady((index: number) => onOpen(`${index} ${text}`));
  const mail = {
    from: 'Ada <ada@example.org>',
    subject: `Engine ${text[0]}`,
    date: '2026-01-02T03:04:05Z',
    sizeBytes: 2_048,
    hasAttachments: false,
  };
  return (
    <>
      <button onClick={() => setText('a2')}>the same</button>
      <button onClick={() => setText('b1')}>another</button>
      <MailRow index={7} mail={mail} opened={false} onOpen={open} />
    </>
  );
}

describe('MailRow', () => {
  it('should be rendered again only when its content changes, and use the latest handler', async () => {
    const onOpen = vi.fn();
    renderPart(<List onOpen={onOpen} />);
    vi.mocked(formatShortDate).mockClear();
    await userEvent.click(screen.getByText('the same'));
    expect(formatShortDate).not.toHaveBeenCalled();
    await userEvent.click(screen.getByText('Engine a'));
    expect(onOpen).toHaveBeenLastCalledWith('7 a2');
    await userEvent.click(screen.getByText('another'));
    expect(formatShortDate).toHaveBeenCalledOnce();
    expect(screen.getByText('Engine b')).toBeVisible();
  });

  it.each([true, false])('should mark a date that is doubtful: %s', (isDateDoubtful) => {
    const mail = { from: '', subject: '', sizeBytes: 1, hasAttachments: false };
    renderPart(
      <MailRow
        index={0}
        mail={{ ...mail, date: '2026-01-02T03:04:05Z', isDateDoubtful }}
        opened={false}
        onOpen={() => undefined}
      />,
    );
    expect(screen.queryAllByRole('img', { name: /Date doubtful/ })).toHaveLength(isDateDoubtful ? 1 : 0);
  });
});
