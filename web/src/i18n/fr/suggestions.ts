import type { suggestions as english } from '../en/suggestions';
import type { French } from './french';

export const suggestions: French<typeof english> = {
  title: 'Suggestions',
  kinds: {
    bulk_unread_one: '{{count, number}} message non lu de {{sender}}',
    bulk_unread_many: '{{count, number}} de messages non lus de {{sender}}',
    bulk_unread_other: '{{count, number}} messages non lus de {{sender}}',
    large_sender_one: '{{count, number}} message volumineux de {{sender}}',
    large_sender_many: '{{count, number}} de messages de {{sender}} prennent beaucoup de place',
    large_sender_other: '{{count, number}} messages de {{sender}} prennent beaucoup de place',
    old_newsletters_one: '{{count, number}} ancienne newsletter de {{sender}}',
    old_newsletters_many: '{{count, number}} d’anciennes newsletters de {{sender}}',
    old_newsletters_other: '{{count, number}} anciennes newsletters de {{sender}}',
    duplicate_pattern_one: '{{count, number}} message de même objet de {{sender}}',
    duplicate_pattern_many: '{{count, number}} de messages de même objet de {{sender}}',
    duplicate_pattern_other: '{{count, number}} messages de même objet de {{sender}}',
  },
  reasons: {
    bulk_unread: 'Vous n’en avez ouvert aucun.',
    large_sender: 'Ils prennent ensemble plus de 10 Mo, et cet expéditeur vous encombre beaucoup.',
    old_newsletters: 'Vous ouvrez moins d’un tiers de ces newsletters.',
    duplicate_pattern: 'Leurs objets ne diffèrent que par des nombres, des dates ou « Re : ».',
  },
  records:
    'Ce sont peut-être des reçus, des factures ou d’autres papiers. Regardez-les avant d’en supprimer.',
  dismiss: 'Ne plus suggérer : {{title}}',
  none: 'Rien à suggérer : cette boîte aux lettres est bien rangée.',
  all: 'Toutes les suggestions',
};
