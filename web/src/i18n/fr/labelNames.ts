import type { labelNames as english } from '../en/labelNames';
import type { French } from './french';

export const labelNames: French<typeof english> = {
  INBOX: 'Boîte de réception',
  SENT: 'Messages envoyés',
  DRAFT: 'Brouillons',
  SPAM: 'Spam',
  TRASH: 'Corbeille',
  UNREAD: 'Non lus',
  STARRED: 'Suivis',
  IMPORTANT: 'Importants',
  CHAT: 'Discussions',
  CATEGORY_PERSONAL: 'Personnel',
  CATEGORY_SOCIAL: 'Réseaux sociaux',
  CATEGORY_PROMOTIONS: 'Promotions',
  CATEGORY_UPDATES: 'Mises à jour',
  CATEGORY_FORUMS: 'Forums',
};
