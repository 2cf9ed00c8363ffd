import { screen, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { renderPart } from '../../../../test/render';
import { setLanguage } from '../../../i18n';
import { loadTexts } from '../../../i18n/texts';
import { RuleTemplates } from './RuleTemplates';

const starred = { field: 'label', operator: 'not_equals', value: 'STARRED' };
const TEMPLATES = [
  {
    id: 'trash-old-promotions',
    name: 'Name of the service',
    description: 'Sentence of the service',
    category: 'cleanup',
    dto: {
      conditions: [{ field: 'label', operator: 'equals', value: 'CATEGORY_PROMOTIONS' }, starred],
      action: { type: 'trash' },
      schedule: null,
    },
  },
  {
    id: 'later',
    name: 'Something newer',
    description: 'Does what a later version brings.',
    category: 'archive',
    dto: { conditions: [starred], action: { type: 'archive_nas' }, schedule: 'weekly' },
  },
];

describe('RuleTemplates', () => {
  const created: unknown[] = [];
  beforeEach(async () => {
    created.length = 0;
    await Promise.all((['rules', 'labelNames'] as const).map(loadTexts));
    vi.stubGlobal(
      'fetch',
      vi.fn(async (request: Request) => {
        if (request.method === 'POST') created.push(await request.json());
        return Response.json(request.url.includes('templates') ? TEMPLATES : {});
      }),
    );
  });
  afterEach(async () => {
    vi.unstubAllGlobals();
    await setLanguage('en');
  });

  it('should say in a sentence what a rule of each template does, by chapters, without names of the machine', async () => {
    renderPart(<RuleTemplates accountId="account" />);
    const cleanup = (await screen.findByRole('heading', { name: 'Clear out old mail' })).parentElement!;
    expect(within(cleanup).getByText('Trash old promotions')).toBeVisible();
    expect(
      within(cleanup).getByText(
        'Moves promotions older than 6 months to the trash, except starred and important ones.',
      ),
    ).toBeVisible();
    expect(screen.queryByText('Something newer')).toBeVisible();
    expect(document.body.textContent).not.toMatch(/CATEGORY_|STARRED/);
  });

  it('should give the rule the name and the sentence of the page’s language', async () => {
    await setLanguage('fr');
    renderPart(<RuleTemplates accountId="account" />);
    await userEvent.click(
      await screen.findByRole('button', { name: /^Utiliser cette règle.*Anciennes promotions/ }),
    );
    await vi.waitFor(() => expect(created).toHaveLength(1));
    expect(created[0]).toMatchObject({
      name: 'Anciennes promotions à la corbeille',
      description: expect.stringContaining('plus de 6 mois'),
    });
  });
});
