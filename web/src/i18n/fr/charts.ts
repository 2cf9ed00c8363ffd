import type { charts as english } from '../en/charts';
import type { French } from './french';

export const charts: French<typeof english> = {
  asTable: 'Afficher sous forme de tableau',
  month: 'Mois',
  messages: 'Messages',
  monthsText_one: 'Au plus {{count, number}} message par mois ({{month}})',
  monthsText_many: 'Au plus {{count, number}} de messages par mois ({{month}})',
  monthsText_other: 'Au plus {{count, number}} messages par mois ({{month}})',
};
