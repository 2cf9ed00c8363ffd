/** Values that are never passwords: words of forms, placeholders, values of programs. */
const NO_VALUES = new Set(
  (
    'none null nil undefined true false yes no oui non n/a na tbd todo here ici same idem above below ci-dessus ci-dessous ' +
    'required requis requise obligatoire optional optionnel hidden masqu\u00e9 masked cach\u00e9 redacted removed supprim\u00e9 ' +
    'forgotten oubli\u00e9 perdu lost reset string str text varchar char type hash salt bcrypt sha256 md5 argon2 scrypt ' +
    'password passwd pwd pass mdp motdepasse mypassword your_password yourpassword your-password mot_de_passe mot-de-passe votre_mot_de_passe ' +
    'secret_here password_here changeme123 enter-password xxx show afficher voir confirm confirmer confirmation change changer ' +
    'modifier update valid valide invalid invalide incorrect incorrecte wrong weak strong medium faible fort moyen'
  ).split(' '),
);

/** The most common passwords, which count although they are words. */
const NOTORIOUS = new Set(
  (
    'azerty azertyuiop qwerty qwertyuiop qwertz letmein iloveyou jetaime admin administrator welcome bienvenue dragon monkey ' +
    'soleil changeme secret sunshine princess princesse football doudou loulou marseille chouchou bonjour motdepasse password ' +
    'master superman batman starwars baseball shadow michael jordan cheval camille nicolas chocolat'
  ).split(' '),
);

const PLACEHOLDER =
  /^(?:[*\u2022\u25cf.\u2026_x-]+|[*\u2022\u25cf]{2,}.*|.*[*\u2022\u25cf]{3,}.*|x{3,}.*|<.*>?|\[.*\]?|\{.*\}?|\$\{.*|\$[a-z_]\w*|%[\w-]+%|.*\.{3}|\u2026.*|_{2,}.*|(?:your|my|new|old|enter|insert|votre|nouveau|ton)[-_ ]?(?:own)?[-_ ]?(?:password|pass|pwd|mdp|mot).*|\W*(?:example|exemple|placeholder)\W*)$/iu;
const ADDRESS =
  /^(?:[a-z][a-z0-9+.-]*:\/\/|www\.|mailto:|[^\s@]+@[^\s@]+\.[a-z]{2,}$)|^[a-z0-9-]+(?:\.[a-z0-9-]+)*\.(?:com|fr|org|net|io|test|example|eu|de|uk)(?:\/\S*)?$/i;
const FILE =
  /^[\w.-]+\.(?:txt|pdf|docx?|xlsx?|csv|zip|kdbx?|html?|php|jsx?|tsx?|py|json|ya?ml|png|jpe?g|gif|exe|md|conf|ini|env)$/i;
const DATE_OR_TIME =
  /^(?:\d{1,4}[/.-]\d{1,2}[/.-]\d{1,4}|\d{1,2}[h:]\d{2}(?::\d{2})?|\d{1,3}%|\d+(?:[.,]\d+)?(?:€|\$|ms|mo|go|kb|mb|gb|px|em|rem|pt|vh|vw|min|sec|h|j|s|d|x)|\d{1,5}[.,]\d{1,2})$/i;
/** Expressions of programs: `process.env.DB_PASSWORD`, `self.password`, `getPassword()`, `form['password']`, `$row->password`. */
const PROGRAM =
  /^(?:[A-Za-z_$][\w$]*(?:(?:\.|->|::)[A-Za-z_$][\w$]*)+[;,)]*|[A-Za-z_$][\w$]*(?:(?:\.|->|::)[\w$]+)*\(.*|[A-Za-z_$][\w$.]*\[.*|@\w+|--[\w-]+|\/\S*|&\w+;?.*|[a-z]+_[a-z_]+|[A-Z]+(?:_[A-Z]+)+)$/;
/** Placeholders: `%{user}`, `a${b}`, `$name)`, `:py:data:`, `key=value`, a version, a ticket, a path. */
const NOT_LITERAL =
  /[$%#]\{[^}]{0,60}(?:\}|$)|^\$[a-z_]\w*\W{0,3}$|^[$@][a-z_]\w*(?:->|\[)|^:\w*:|^=?[a-z_]{3,}=\S|^[\^~<>=]{0,2}v?\d+(?:\.\d+){2,}\S{0,20}$|^#\d+$|^\/[\w.-]+\/\S*$|^\d+-(?:byte|bit|char|digit|day)s?$/i;
/** Rules of a form: `required|min:8|confirmed`. */
const RULES = /^[a-z_]+(?::[\w,]+)?(?:\|[a-z_]+(?::[\w,]+)?)+$/;
/** Two words with a dot and digits, which in a program would be a name. */
const DOTTED = /^[a-z]+\.[a-z]+\d+$/i;
const UNITS =
  /^[ \t\u00a0]*(?:[-–+à]\s*\d+\s*)?(?:or more |ou plus |au moins |de |to \d+ )?(?:char(?:acter)?s?|caract[èe]res?|digits?|chiffres?|letters?|lettres?|symbols?|symboles?|signs?|signes?|days?|jours?|minutes?|mins?|hours?|heures?|weeks?|semaines?|months?|mois|years?|ans?|times?|fois|attempts?|tentatives?|bits?|euros?|€|%|users?|utilisateurs?|comptes?|accounts?|of|de)\b/iu;

const SHORTEST = 4;
const LONGEST = 64;

export interface ValueContext {
  /** Text after the value. */
  readonly rest: string;
  /** Whether `:` or `=` joins the value, rather than a verb. */
  readonly isAssigned: boolean;
  readonly isQuoted: boolean;
  /** Whether a user name stands nearby. */
  readonly hasLogin: boolean;
  /** Whether the text speaks of the code of a card or a door, so that digits alone are enough. */
  readonly isCode: boolean;
  /** Whether French words announce the value, which programs do not have. */
  readonly isFrench?: boolean;
}

/** Number of kinds of characters; a capital at the beginning of a word does not count. */
export function kindsOf(value: string): number {
  const letters = value.replace(/[^\p{L}]/gu, '');
  const isMixed =
    /\p{Ll}\p{Lu}|\p{Lu}{2}\p{Ll}/u.test(letters) && !/^(?:\p{Lu}?\p{Ll}+)(?:-?\p{Lu}\p{Ll}+)+$/u.test(value);
  const symbols =
    /[^\p{L}\p{N}\s'’().,;:!?«»"-]/u.test(value) || (/\w[!?.,;:-]\w|[!?]$/u.test(value) && /\d/.test(value));
  return (letters === '' ? 0 : isMixed ? 2 : 1) + (/\d/.test(value) ? 1 : 0) + (symbols ? 1 : 0);
}

/** Whether a token at the place of a password is one. */
export function isPassword(value: string, context: ValueContext): boolean {
  if (value.length < SHORTEST || value.length > LONGEST) return false;
  const plain = value.toLowerCase();
  if (NO_VALUES.has(plain) && !(NOTORIOUS.has(plain) && context.isAssigned && context.hasLogin)) return false;
  if (PLACEHOLDER.test(value) || ADDRESS.test(value) || FILE.test(value) || DATE_OR_TIME.test(value))
    return false;
  if (!context.isQuoted && PROGRAM.test(value) && !(context.isFrench && DOTTED.test(value))) return false;
  if (RULES.test(value) || NOT_LITERAL.test(value) || new Set(plain).size === 1) return false;
  // The value is part of an expression.
  if (!context.isQuoted && (/^(?:\(|b['"])/.test(value) || /['"]\}/.test(value))) return false;
  if (!/[\p{L}\p{N}]/u.test(value)) return false;
  if (UNITS.test(context.rest)) return false;
  if (value.startsWith('```')) return false;
  // The value is part of a longer number, e.g. that of a meeting.
  if (/^\d+$/.test(value) && /^[ -]\d/.test(context.rest)) return false;
  if (/^\d+$/.test(value)) return context.isCode || context.isAssigned || value.length >= 4;
  if (kindsOf(value) >= 2) return true;
  if (NOTORIOUS.has(plain)) return isAtEnd(context.rest);
  return (
    (context.isQuoted || (context.isAssigned && context.hasLogin)) &&
    isAtEnd(context.rest) &&
    !/[.\u2019']/.test(value)
  );
}

/** Whether a clause ends here. */
const isAtEnd = (rest: string): boolean => /^\s*(?:$|[\n\t,;.|/)"'»”(!-])/u.test(rest);
