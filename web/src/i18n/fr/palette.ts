import type { palette as english } from '../en/palette';
import type { French } from './french';

export const palette: French<typeof english> = {
  title: 'Pages et commandes',
  placeholder: 'Où aller, que faire ?',
  search: 'Rechercher « {{words}} » dans tout le courrier',
  keys: 'Afficher les raccourcis clavier',
  groups: {
    page: 'Les messages sélectionnés',
    go: 'Aller à',
    mailboxes: 'Boîtes aux lettres',
    do: 'Commandes',
    search: 'Recherche',
  },
};
