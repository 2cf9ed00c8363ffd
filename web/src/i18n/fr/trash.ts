import type { trash as english } from '../en/trash';
import type { French } from './french';

export const trash: French<typeof english> = {
  onExpunge:
    'Ce serveur met à la corbeille ce qui est supprimé. Mailroom l’y supprime aussitôt aussi ; en cas d’interruption, des copies restent dans la corbeille.',
  missing:
    'Cette boîte aux lettres n’a pas de dossier pour la corbeille. Mailroom en crée un, « Trash » ; si le serveur le refuse, rien n’est déplacé.',
};
