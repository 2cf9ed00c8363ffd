import type { audit as english } from '../en/audit';
import type { French } from './french';

export const audit: French<typeof english> = {
  title: 'Journal d’audit',
  intro:
    'Ce qui a été fait avec votre compte et vos messages : par qui, quand, et d’où. Les entrées ne peuvent pas être modifiées.',
  outcome: 'Résultat',
  all: 'Tous',
  outcomes: { success: 'Fait', failure: 'Refusé' },
  none: 'Il n’y a aucune entrée.',
  from: 'depuis {{address}}',
  actors: {
    user: 'Vous ou un autre utilisateur',
    'api-key': 'Une clé d’API',
    operator: 'Un opérateur en ligne de commande',
    service: 'Mailroom',
    anonymous: 'Quelqu’un qui n’était pas connecté',
    administrator: 'Un administrateur',
  },
};
