import { screen } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { beforeAll, describe, expect, it } from 'vitest';
import { loadTexts } from '../../../i18n/texts';
import { renderPart } from '../../../../test/render';
import type { Newsletter } from './newsletter';
import { Unsubscribe } from './Unsubscribe';

const EMAIL = 'news@shop.test';

describe('Unsubscribe', () => {
  beforeAll(() => loadTexts('newsletters'));

  const show = (ways: Partial<Newsletter>): void => {
    const newsletter = { email: EMAIL, unsubscribeUrl: null, unsubscribeMailto: null, oneClick: false };
    renderPart(<Unsubscribe newsletter={{ ...newsletter, ...ways } as Newsletter} />);
  };

  it('should promise no single click, and open nothing before it has shown the address', async () => {
    show({
      oneClick: true,
      unsubscribeUrl: 'https://shop.test/u?id=1',
      unsubscribeMailto: 'mailto:u@shop.test',
    });
    expect(screen.queryByText(/one.click/i)).toBeNull();
    expect(screen.queryByRole('link')).toBeNull();
    await userEvent.click(screen.getByRole('button', { name: new RegExp(EMAIL) }));
    expect(await screen.findByText('https://shop.test/u?id=1')).toBeInTheDocument();
    expect(screen.queryByText(/one.click/i)).toBeNull();
    const addresses = screen.getAllByRole('link').map((link) => link.getAttribute('href'));
    expect(addresses).toEqual(['https://shop.test/u?id=1', 'mailto:u@shop.test']);
  });

  it('should offer nothing for a sender without an unsubscribe address', () => {
    show({});
    expect(screen.queryByRole('button')).toBeNull();
  });
});
