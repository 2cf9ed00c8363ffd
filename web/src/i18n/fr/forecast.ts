import type { forecast as english } from '../en/forecast';
import type { French } from './french';

export const forecast: French<typeof english> = {
  provider: 'Le fournisseur',
  about:
    '{{provider}} laisse les logiciels de messagerie lire {{perDay, number}} Mo par jour ; Mailroom en utilise jusqu’à {{used, number}} Mo. Tous les messages, environ {{size}}, seront ici vers le {{day}}. La copie reprend d’elle-même chaque jour.',
  exact:
    '{{provider}} laisse les logiciels de messagerie lire {{perDay, number}} Mo par jour ; Mailroom en utilise jusqu’à {{used, number}} Mo. Le reste des messages, {{size}}, sera ici vers le {{day}}. La copie reprend d’elle-même chaque jour.',
  import_one:
    '{{provider}} laisse les logiciels de messagerie lire {{perDay, number}} Mo par jour, tous logiciels confondus. Le message, environ {{size}}, sera ici le {{day}} au plus tôt. L’importation reprend d’elle-même chaque jour.',
  import_many:
    '{{provider}} laisse les logiciels de messagerie lire {{perDay, number}} Mo par jour, tous logiciels confondus. Les {{count, number}} messages, environ {{size}}, seront ici le {{day}} au plus tôt. L’importation reprend d’elle-même chaque jour.',
  import_other:
    '{{provider}} laisse les logiciels de messagerie lire {{perDay, number}} Mo par jour, tous logiciels confondus. Les {{count, number}} messages, environ {{size}}, seront ici le {{day}} au plus tôt. L’importation reprend d’elle-même chaque jour.',
  cut_one:
    '{{provider}} ne montre aux logiciels de messagerie que {{most, number}} messages par dossier, et {{folders}} en compte autant. Les plus anciens restent hors de portée tant que vous ne les déplacez pas vers d’autres dossiers chez le fournisseur.',
  cut_many:
    '{{provider}} ne montre aux logiciels de messagerie que {{most, number}} messages par dossier, et ces dossiers en comptent autant : {{folders}}. Les plus anciens restent hors de portée tant que vous ne les déplacez pas vers d’autres dossiers chez le fournisseur.',
  cut_other:
    '{{provider}} ne montre aux logiciels de messagerie que {{most, number}} messages par dossier, et ces dossiers en comptent autant : {{folders}}. Les plus anciens restent hors de portée tant que vous ne les déplacez pas vers d’autres dossiers chez le fournisseur.',
  sending:
    'Le fournisseur limite ce que les logiciels de messagerie ajoutent par jour : le dernier message sera en place vers le {{day}}. La restauration reprend d’elle-même chaque jour.',
};
