import { createMemoryHistory, createRootRoute, createRouter, RouterProvider } from '@tanstack/react-router';
import { screen } from '@testing-library/react';
import { beforeAll, describe, expect, it } from 'vitest';
import { renderPart } from '../../../../test/render';
import { loadTexts } from '../../../i18n/texts';
import { TopSenders } from './TopSenders';

const SENDERS = [
  { sender: 'Shop <news@shop.test>', count: 40, sizeBytes: 1_024 },
  { sender: 'Bank <info@bank.test>', count: 10, sizeBytes: 2_048 },
];

describe('TopSenders', () => {
  beforeAll(() => loadTexts('overviewDetails'));

  const show = (complete: boolean): void => {
    const coverage = { indexed: 1_961, total: 2_000, complete };
    const root = createRootRoute({
      component: () => <TopSenders accountId="account" senders={SENDERS} coverage={coverage} />,
    });
    const router = createRouter({ routeTree: root, history: createMemoryHistory() });
    renderPart(<RouterProvider router={router as never} />);
  };

  it.each([
    [true, 'From all 1,961 messages outside of spam and trash'],
    [false, 'From the 1,961 messages that are known so far, of about 2,000 with spam and trash'],
  ])('should state which messages its numbers are from: all are known is %s', async (complete, text) => {
    show(complete);
    expect(await screen.findByText(text)).toBeInTheDocument();
    expect(screen.getAllByText(/^From /)).toHaveLength(1);
  });

  it('should link to the messages of each sender', async () => {
    show(true);
    const links = await screen.findAllByRole('link');
    expect(links.map((link) => link.textContent)).toEqual(['Shop', 'Bank']);
    expect(new URL((links[1] as HTMLAnchorElement).href).searchParams.get('q')).toContain('info@bank.test');
    expect(screen.getByText('40 messages')).toBeInTheDocument();
  });
});
