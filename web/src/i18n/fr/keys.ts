import type { keys as english } from '../en/keys';
import type { French } from './french';

export const keys: French<typeof english> = {
  title: 'Raccourcis clavier',
  help: 'Afficher les raccourcis clavier',
  search: 'Rechercher dans tout le courrier',
  searchHere: 'Rechercher dans la liste de la page',
  move: 'Aller à la ligne, ou au message, suivant ou précédent',
  open: 'Lire',
  close: 'Fermer, ou ne rien sélectionner',
  choose: 'Sélectionner une ligne',
  range: 'Tout sélectionner jusqu’à une ligne',
  all: 'Tout sélectionner',
  overview: 'Ouvrir la vue d’ensemble',
  space: 'Ouvrir Espace : ce qui remplit la boîte aux lettres',
  insights: 'Ouvrir les analyses',
  mailbox: 'Ouvrir la boîte aux lettres',
  archive: 'Ouvrir l’archive',
  keep: 'Ouvrir Tout conserver',
  rules: 'Ouvrir les règles',
  newsletters: 'Ouvrir les newsletters',
  transfer: 'Ouvrir l’import et l’export',
  settings: 'Ouvrir les paramètres',
};
