import { screen } from '@testing-library/react';
import type { Schemas } from '@mailroom/sdk';
import { describe, expect, it } from 'vitest';
import { renderPart } from '../../../test/render';
import { TransferForecast } from './TransferForecast';

const FORECAST: Schemas['TransferForecastResponse'] = {
  provider: 'Gmail',
  messages: 412_000,
  bytes: 38 * 1024 ** 3,
  approximate: true,
  bytesPerDay: 2_500_000_000,
  jobBytesPerDay: 2_000_000_000,
  completesOn: '2026-12-17',
  cutFolders: [],
};

describe('TransferForecast', () => {
  it('should say the limit of a day and the day of completion', () => {
    renderPart(<TransferForecast forecast={FORECAST} />);
    const text = screen.getByRole('note').textContent;
    expect(text).toContain('Gmail lets mail programs read 2,500 MB a day');
    expect(text).toContain('Mailroom uses up to 2,000 MB');
    expect(text).toMatch(/All messages, about 38 GB, will be here about .*2026/);
  });

  it('should name the folders whose older messages are out of reach', () => {
    const cutFolders = [{ path: 'INBOX', messages: 10_000 }];
    renderPart(
      <TransferForecast
        forecast={{ ...FORECAST, provider: 'Yahoo', bytesPerDay: null, completesOn: null, cutFolders }}
      />,
    );
    expect(screen.getByRole('note')).toHaveTextContent(
      'Yahoo shows mail programs no more than 10,000 messages of a folder, and INBOX has that many.',
    );
  });

  it('should say nothing where the limits do not matter', () => {
    renderPart(<TransferForecast forecast={{ ...FORECAST, completesOn: null }} />);
    expect(screen.queryByRole('note')).not.toBeInTheDocument();
  });
});
