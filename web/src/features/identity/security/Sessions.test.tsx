import { screen, within } from '@testing-library/react';
import { afterEach, beforeAll, describe, expect, it, vi } from 'vitest';
import { renderPart } from '../../../../test/render';
import { loadTexts } from '../../../i18n/texts';
import { Sessions } from './Sessions';

const SESSION = {
  ...{ id: 'a', user_agent: null, ip_address: '192.0.2.1', current: false },
  ...{ created_at: '2026-01-01T10:00:00.000Z', last_used_at: '2026-01-02T10:00:00.000Z' },
};

describe('Sessions', () => {
  beforeAll(() => loadTexts('security'));
  afterEach(() => vi.unstubAllGlobals());

  it('should mark the current session, and show when others were used', async () => {
    const sessions = [
      { ...SESSION, current: true },
      { ...SESSION, id: 'b', ip_address: '192.0.2.2' },
    ];
    vi.stubGlobal('fetch', () => Promise.resolve(Response.json(sessions)));
    renderPart(<Sessions />);
    const [own, other] = await screen.findAllByRole('listitem');
    expect(own).toHaveTextContent(/192\.0\.2\.1 .*in use now$/);
    expect(own).not.toHaveTextContent(/last used/);
    expect(within(own!).queryByRole('button')).toBeNull();
    expect(other).toHaveTextContent(/192\.0\.2\.2 .*last used .*Jan 2/);
    expect(within(other!).getByRole('button')).toBeInTheDocument();
  });
});
