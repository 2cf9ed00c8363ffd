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
  home: 'Aller à l’accueil',
  mail: 'Aller au courrier',
  archive: 'Aller à l’archive',
  cleanUp: 'Aller au nettoyage : ce qui remplit la boîte aux lettres',
  newsletters: 'Aller aux newsletters',
  rules: 'Aller aux règles',
  insights: 'Aller aux analyses',
  protect: 'Aller à la protection : tout conserver',
  settings: 'Aller aux paramètres',
  transfer: 'Aller à l’import et l’export',
};
