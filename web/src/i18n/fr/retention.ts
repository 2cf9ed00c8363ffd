import type { retention as english } from '../en/retention';
import type { French } from './french';

export const retention: French<typeof english> = {
  title: 'Conservation',
  intro:
    'Une règle de conservation supprime chaque nuit les messages archivés trop anciens. Les messages de la boîte aux lettres elle-même ne sont jamais touchés.',
  add: 'Nouvelle règle de conservation',
  new: 'Nouvelle règle de conservation',
  none: 'Il n’y a aucune règle de conservation : les messages archivés sont gardés pour de bon.',
  name: 'Nom',
  nameMissing: 'Donnez un nom à la règle.',
  mailbox: 'Boîte aux lettres',
  allMailboxes: 'Toutes les boîtes aux lettres',
  label: 'Avec le libellé',
  anyLabel: 'n’importe lequel',
  days: 'Plus anciens que (jours)',
  daysMissing: 'Saisissez un nombre de jours.',
  offloaded: 'Aussi les messages qui ne sont que dans l’archive',
  offloadedText: 'Les messages sortis de la boîte aux lettres n’ont pas d’autre copie.',
  save: 'Enregistrer, sans activer',
  on: 'Activée',
  off: 'Désactivée',
  neverRan: 'pas encore exécutée',
  ran_one: 'dernière exécution : {{time}}, {{count, number}} message supprimé en tout',
  ran_many: 'dernière exécution : {{time}}, {{count, number}} de messages supprimés en tout',
  ran_other: 'dernière exécution : {{time}}, {{count, number}} messages supprimés en tout',
  sentence_one:
    'Supprime les messages archivés de plus de {{count, number}} jour. Boîte aux lettres : {{mailbox}}. Libellé : {{label}}.',
  sentence_many:
    'Supprime les messages archivés de plus de {{count, number}} de jours. Boîte aux lettres : {{mailbox}}. Libellé : {{label}}.',
  sentence_other:
    'Supprime les messages archivés de plus de {{count, number}} jours. Boîte aux lettres : {{mailbox}}. Libellé : {{label}}.',
  preview: 'Ce qu’elle supprimerait',
  would_one: 'En ce moment, elle supprimerait {{count, number}} message, {{size}}.',
  would_many: 'En ce moment, elle supprimerait {{count, number}} de messages, {{size}}.',
  would_other: 'En ce moment, elle supprimerait {{count, number}} messages, {{size}}.',
  dates: 'Du plus ancien ({{oldest}}) au plus récent ({{newest}}).',
  warnings: 'Certains pourraient lui échapper',
  run: 'Exécuter maintenant celles qui sont activées',
  runTitle: 'Exécuter les règles maintenant ?',
  runText: 'Ce qu’elles trouvent est supprimé aussitôt, sans retour possible.',
  ranNow_one: '{{count, number}} message a été supprimé.',
  ranNow_many: '{{count, number}} de messages ont été supprimés.',
  ranNow_other: '{{count, number}} messages ont été supprimés.',
  switchOn: 'Activer',
  switchOff: 'Désactiver',
  onTitle: 'Activer {{name}} ?',
  onText:
    'Dès lors, elle supprime chaque nuit des messages archivés. Ce qui est supprimé ne peut pas être restauré.',
  delete: 'Supprimer',
  deleteTitle: 'Supprimer la règle {{name}} ?',
  deleteText: 'Plus rien n’est supprimé à cause d’elle.',
};
