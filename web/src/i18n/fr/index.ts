import { common } from './common';
import { jobs } from './jobs';
import { mail } from './mail';
import { problems } from './problems';
import { shell } from './shell';

/*
 * Words, so that a thing has one name everywhere. People are addressed as “vous”.
 *
 *   mailbox             boîte aux lettres       keep everything     tout conserver
 *   inbox               boîte de réception      continuous archiving archivage continu
 *   archive (noun)      archive                 offload             délestage
 *   save to the archive enregistrer dans l’archive                  retention           conservation
 *   take out of inbox   retirer de la boîte de réception            retention policy    règle de conservation
 *   trash (verb)        mettre à la corbeille   rule                règle
 *   delete for good     supprimer définitivement                    newsletter          newsletter
 *   label               libellé                 tracker             traceur
 *   starred, important  suivi, important        passphrase          phrase secrète
 *   sender, recipient   expéditeur, destinataire                    encrypted           chiffré
 *   subject             objet                   mail provider       fournisseur de messagerie
 *   attachment          pièce jointe            job                 tâche
 *   choose (rows)       sélectionner            undo                remettre comme avant
 *   import, upload      importation, envoi      cancel              annuler
 *   settings            paramètres, réglages (of one thing)         storage             espace de stockage
 */

/** The texts that are there from the beginning, as in `../en`. */
export const fr = { common, problems, shell, mail, jobs };
