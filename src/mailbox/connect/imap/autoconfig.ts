import { normalizedHost } from '../../../platform/validation/host-name';
import type { ImapSecurity } from '../../../providers/imap/login/imap-account.entity';

/** A server that a domain's configuration names. */
export interface ConfiguredServer {
  readonly host: string;
  readonly port: number;
  readonly security: ImapSecurity;
  readonly username: string;
}

/** Returns the URLs at which a domain publishes its configuration, by the draft that Thunderbird follows. */
export const autoconfigUrls = (domain: string): readonly string[] => [
  `https://autoconfig.${domain}/mail/config-v1.1.xml`,
  `https://${domain}/.well-known/autoconfig/mail/config-v1.1.xml`,
];

const MAX_SERVERS = 5;
const SERVER = /<incomingServer\s[^>]*\btype\s*=\s*["']imap["'][^>]*>([\s\S]*?)<\/incomingServer>/g;
const SECURITIES: Readonly<Record<string, ImapSecurity>> = { SSL: 'tls', STARTTLS: 'starttls' };

/**
 * Reads the IMAP servers of a configuration file (`config-v1.1.xml`), best first. Servers without protection, or that
 * accept no passwords, are left out. A file that declares entities is ignored, since they can grow without limit.
 */
export function parseAutoconfig(xml: string, email: string): ConfiguredServer[] {
  if (/<!(DOCTYPE|ENTITY)/i.test(xml)) return [];
  const at = email.lastIndexOf('@');
  const placeholders: Readonly<Record<string, string>> = {
    EMAILADDRESS: email,
    EMAILLOCALPART: email.slice(0, at),
    EMAILDOMAIN: email.slice(at + 1),
  };
  const fill = (text: string): string =>
    text.replace(/%(EMAILADDRESS|EMAILLOCALPART|EMAILDOMAIN)%/g, (_all, name: string) => placeholders[name]!);
  const servers: ConfiguredServer[] = [];
  for (const [, inner = ''] of xml.replace(/<!--[\s\S]*?-->/g, '').matchAll(SERVER)) {
    const security = SECURITIES[contentOf(inner, 'socketType') ?? ''];
    const host = normalizedHost(fill(contentOf(inner, 'hostname') ?? '').toLowerCase());
    const port = Number(contentOf(inner, 'port'));
    const username = fill(contentOf(inner, 'username') ?? '%EMAILADDRESS%');
    if (!security || !host || !isPort(port) || !isUsername(username) || !takesPasswords(inner)) continue;
    servers.push({ host, port, security, username });
    if (servers.length === MAX_SERVERS) break;
  }
  return servers;
}

const isPort = (port: number): boolean => Number.isInteger(port) && port >= 1 && port <= 65_535;

const isUsername = (name: string): boolean => /^[^\p{Cc}\p{Cs}]{1,320}$/u.test(name);

/** Whether a server entry accepts passwords; one that names no authentication does. */
function takesPasswords(inner: string): boolean {
  const ways = [...inner.matchAll(/<authentication>\s*([\w-]+)\s*<\/authentication>/g)].map(([, way]) => way);
  return ways.length === 0 || ways.some((way) => way?.startsWith('password') || way === 'plain');
}

const ENTITIES: Readonly<Record<string, string>> = { amp: '&', lt: '<', gt: '>', quot: '"', apos: "'" };

function contentOf(inner: string, element: string): string | null {
  const found = new RegExp(`<${element}>([^<]*)</${element}>`).exec(inner)?.[1]?.trim();
  return found?.replace(/&(amp|lt|gt|quot|apos);/g, (_all, name: string) => ENTITIES[name]!) ?? null;
}
